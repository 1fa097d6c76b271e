import type { StopSignal } from '@meridian/cancellation';

/** Sends requests to subgraphs, and returns their responses. */
export interface SubgraphTransport {
  /**
   * Rejects with the signal's reason once that has aborted, else with a `SubgraphFailure` if there is no usable
   * response.
   */
  send(request: SubgraphRequest): Promise<SubgraphResponse>;
}

export interface SubgraphRequest {
  readonly subgraph: string;
  readonly operationKind: 'query' | 'mutation';
  /** A GraphQL request as JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: StopSignal;
}

export interface SubgraphResponse {
  /** The body, unchecked, as text or as UTF-8 bytes. */
  readonly text: string | Buffer;
  readonly cacheControl: string | undefined;
  /** The HTTP status, for metrics; absent from a transport that has none. */
  readonly status?: number;
}
