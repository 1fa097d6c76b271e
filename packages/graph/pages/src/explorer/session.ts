import type { PlannedFetch } from '@meridian/executor';

/** The initial state of the explorer: the gateway's response at `/explorer/session`. */
export interface Session {
  /** Where operations are sent. */
  readonly graphPath: string;
  /** Of the development identity; absent where there is none. */
  readonly token?: string | undefined;
  /** Where the page of `pnpm graph` is; absent where it was not written. */
  readonly graphPage?: string | undefined;
  readonly operations: readonly ListedOperation[];
}

/** An operation of the manifest. */
export interface ListedOperation {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  /** The names of the apps whose manifests list it. */
  readonly apps: readonly string[];
}

/** The gateway's explanation of an accepted operation, or the reason for its rejection. */
export type Explanation =
  | {
      readonly cost: { readonly estimated: number; readonly max?: number | undefined };
      /** Of a GET by a caller with a token. */
      readonly cacheControl: string;
      readonly plan: {
        readonly fetchCount: number;
        readonly roundCount: number;
        readonly fetches: readonly PlannedFetch[];
        /** The names of all subgraphs, in the order of the supergraph, which gives each its colour. */
        readonly subgraphs: readonly string[];
        readonly text: string;
        /** A Mermaid flowchart. */
        readonly flowchart: string;
      };
    }
  | { readonly requestError: { readonly code: string; readonly message: string } };
