import type { IncomingHttpHeaders } from 'node:http';

/** A client's request as it was sent: nothing in it has been looked up or checked yet. */
export interface GraphqlRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: IncomingHttpHeaders;
  /** The address of its sender, which may be a proxy; undefined when the connection has ended. */
  readonly peer: string | undefined;
  /** The operation's text; absent where the request names it by an identifier. */
  readonly query: string | undefined;
  /**
   * `documentId` or `extensions.persistedQuery.sha256Hash`, without a prefix `sha256:`. Opaque: it need not be a hash.
   */
  readonly persistedQueryId: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
}
