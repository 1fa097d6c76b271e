import type { StopSignal } from '@meridian/cancellation';

import type { SubgraphResponse } from './subgraph-transport.ts';

/** The URL of a subgraph, and the limits of its responses. */
export interface SubgraphTarget {
  readonly url: string;
  /** The time for connecting, headers and body together, waiting for a connection included. */
  readonly timeoutMs: number;
  /** Before and after decoding. */
  readonly maxResponseBytes: number;
  /** Follows each request, for metrics. */
  readonly observer?: TargetObserver | undefined;
  /** True when HTTP/2 is used where the subgraph offers it over TLS. Default: false. */
  readonly isHttp2Allowed?: boolean;
  /** True when only HTTP/2 is used, also without TLS (RFC 9113 §3.3, prior knowledge). Default: false. */
  readonly isHttp2Required?: boolean;
}

/** Follows the requests to a target. A call costs less than a promise for each request. */
export interface TargetObserver {
  /** A response arrived, with status 2xx. */
  onResponse(status: number, durationMs: number): void;
  /** @param reason what the request is rejected with */
  onFailure(reason: unknown, durationMs: number): void;
}

export interface ClientRequest {
  readonly operationKind: 'query' | 'mutation';
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts with the client's own request. */
  readonly signal: StopSignal;
}

/** Sends GraphQL requests to subgraphs over connections that are kept. */
export interface SubgraphClient {
  /**
   * Rejects with the signal's reason once that has aborted, else with a `SubgraphFailure`: for no response in time,
   * no response at all, a status other than 2xx, and a body that is too large or not decodable. The failure has the body
   * of an error response that may be a GraphQL response. Redirects are not followed, since they could lead anywhere.
   */
  send(target: SubgraphTarget, request: ClientRequest): Promise<SubgraphResponse>;
  /** Closes the connections once the requests on them have ended. */
  close(): Promise<void>;
}
