import type { SecureContext } from 'node:tls';

import type { CallSubgraph } from './subgraph-transport.ts';

/** The certificates of connections to a server. It stays the same object when they change. */
export interface ClientTls {
  /** For the next connection. */
  readonly current: SecureContext;
}

/** Where connections go, apart from the URL. */
export interface Peer {
  /** The path of the Unix domain socket to connect to, in place of the host of the URL. */
  readonly socketPath?: string | undefined;
  /** For `https`. Default: the authorities of Node, and no certificate of this side. */
  readonly tls?: ClientTls | undefined;
}

/** The URL of a subgraph, and the limits of its responses. */
export interface SubgraphTarget extends Peer {
  /** `http` or `https`. */
  readonly url: string;
  /** The time for connecting, headers and body together, waiting for a connection included. */
  readonly timeoutMs: number;
  /** Before and after decoding. */
  readonly maxResponseBytes: number;
  /** True when HTTP/2 is used where the subgraph offers it over TLS. Default: false. */
  readonly isHttp2Allowed?: boolean;
  /** True when only HTTP/2 is used, also without TLS (RFC 9113 §3.3, prior knowledge). Default: false. */
  readonly isHttp2Required?: boolean;
  /**
   * True for requests with `parts`, which are never sent again. They use HTTP/1.1, whatever the other members say, and
   * connections that are not kept. Default: false.
   */
  readonly takesParts?: boolean;
}

/** Exchanges requests and responses with servers, over connections that are kept. */
export interface SubgraphClient {
  /**
   * The returned function sends one request. It rejects with the signal's reason once that has aborted, else with a
   * `SubgraphFailure`: for no response in time, no response at all, a status other than 2xx, and a body that is too large
   * or not decodable. The failure has the body of an error response that may be a GraphQL response. A query is sent
   * again, once, when a kept connection was closed before the first byte of its response: the subgraph did not process
   * it. A mutation is not: a subgraph that crashed during its work looks the same from here. Redirects are not followed,
   * since they could lead anywhere.
   */
  exchangeWith(target: SubgraphTarget): CallSubgraph<unknown>;
  /** Closes the connections once the requests on them have ended. */
  close(): Promise<void>;
}
