import type { SubgraphResponse } from './subgraph-transport.ts';

/** Where a subgraph is, and what its answers may cost. */
export interface SubgraphTarget {
  readonly url: string;
  /** The time for connecting, headers and body together, waiting for a connection included. */
  readonly timeoutMs: number;
  /** Before and after decoding. */
  readonly maxResponseBytes: number;
  /** True when HTTP/2 is used where the subgraph offers it over TLS. Default: false. */
  readonly isHttp2Allowed?: boolean;
}

export interface ClientRequest {
  readonly operationKind: 'query' | 'mutation';
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts with the client's own request. */
  readonly signal: AbortSignal;
}

/** Sends GraphQL requests to subgraphs over connections that are kept. */
export interface SubgraphClient {
  /**
   * Rejects with the signal's reason once that has aborted, else with a `SubgraphFailure`: for no answer in time, no answer
   * at all, another status than 2xx, and a body that is over the cap or not decodable. A redirect is another status: it is not
   * followed, since it could lead anywhere.
   */
  send(target: SubgraphTarget, request: ClientRequest): Promise<SubgraphResponse>;
  /** Closes the connections once the requests on them have ended. */
  close(): Promise<void>;
}
