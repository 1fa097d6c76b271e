// The page's requests to the gateway that serves it.
import type { FetcherParams } from '@graphiql/toolkit';
import type { DrawnFetch } from '@meridian/plan-drawing';

/** The initial state of the page. */
export interface Session {
  /** Where operations are sent. */
  readonly graphPath: string;
  /** Of the development identity; absent where there is none. */
  readonly token?: string;
  /** Where the page of `pnpm graph` is; absent where it was not written. */
  readonly graphPage?: string;
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

/** The gateway's explanation of an operation, or the reason for rejecting it. */
export type Explanation =
  | {
      readonly cost: { readonly estimated: number; readonly max?: number };
      readonly cacheControl: string;
      readonly plan: {
        readonly fetchCount: number;
        readonly roundCount: number;
        readonly fetches: readonly DrawnFetch[];
        readonly text: string;
        /** A Mermaid flowchart. */
        readonly flowchart: string;
      };
    }
  | { readonly requestError: { readonly code: string; readonly message: string } };

export async function loadSession(): Promise<Session> {
  const response = await fetch('/explorer/session');
  if (!response.ok) {
    throw new Error(`The gateway answered ${response.status}`);
  }
  return await bodyOf<Session>(response);
}

/** Asks what the gateway would do with an operation. Whatever else goes wrong has no explanation. */
export async function explain(
  operation: { readonly query: string; readonly operationName: string | null; readonly variables: object },
  signal: AbortSignal,
): Promise<Explanation | undefined> {
  const response = await fetch('/explorer/explanation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(operation),
    signal,
  });
  return response.ok ? await bodyOf<Explanation>(response) : undefined;
}

/** Sends an operation as clients do: one of the manifest, word for word, by its identifier. */
export async function run(
  { graphPath, operations }: Session,
  { query, operationName, variables }: FetcherParams,
  headers: Readonly<Record<string, string>>,
): Promise<object> {
  const listed = listedAs(query, operations);
  const response = await fetch(graphPath, {
    method: 'POST',
    headers: { 'apollographql-client-name': 'explorer', ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...(listed === undefined
        ? { query }
        : { extensions: { persistedQuery: { version: 1, sha256Hash: listed.id } } }),
      operationName,
      variables,
    }),
  });
  return await bodyOf<object>(response);
}

/** The operation of the manifest that a text is. */
export function listedAs(text: string, operations: readonly ListedOperation[]): ListedOperation | undefined {
  return operations.find(({ body }) => body === text);
}

async function bodyOf<Body>(response: Response): Promise<Body> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- page and gateway are of one version
  return (await response.json()) as Body;
}
