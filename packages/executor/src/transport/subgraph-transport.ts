/** Brings requests to subgraphs, and their answers back. */
export interface SubgraphTransport {
  /**
   * Rejects with the signal's reason once that has aborted, else with a `SubgraphFailure` where there is no answer to use.
   */
  send(request: SubgraphRequest): Promise<SubgraphResponse>;
}

export interface SubgraphRequest {
  readonly subgraph: string;
  readonly operationKind: 'query' | 'mutation';
  /** A GraphQL request as JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface SubgraphResponse {
  /** The body, as text or as the bytes of its UTF-8, of which nothing has been checked. */
  readonly text: string | Buffer;
  readonly cacheControl: string | undefined;
  /** The HTTP status, for metrics; absent from a transport that has none. */
  readonly status?: number;
}
