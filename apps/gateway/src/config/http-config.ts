import type { JsonBounds } from '@meridian/json';
import type { Cors, RouterConfig } from '@meridian/router-config';

/** The gateway's HTTP interface: the paths that it serves, and its rules for messages. */
export interface HttpConfig {
  /** The paths that serve GraphQL requests. */
  readonly graphPaths: readonly string[];
  readonly requestTimeoutMs: number;
  readonly maxRequestBytes: number;
  /** Of a request. */
  readonly json: JsonBounds;
  /** Rules for pages of other origins. */
  readonly cors: Cors;
  /** Absent where cross-site requests are not blocked. */
  readonly csrf: CsrfOptions | undefined;
  /** Absent where responses are never compressed. */
  readonly compression: Compression | undefined;
}

export interface CsrfOptions {
  /** Names, in lower case, of header fields that a browser sends to a foreign host only after a preflight. */
  readonly requiredHeaders: readonly string[];
}

export interface Compression {
  /** A shorter response is sent uncompressed. */
  readonly minBytes: number;
}

export function httpConfig({
  supergraph,
  traffic_shaping,
  limits,
  cors,
  csrf,
  meridian,
}: RouterConfig): HttpConfig {
  const { compression } = meridian;
  return {
    // Router's default path is `/`, the specification's is `/graphql`. Without a setting, both work.
    graphPaths: supergraph.path === undefined ? ['/', '/graphql'] : [supergraph.path],
    requestTimeoutMs: traffic_shaping.router.timeout,
    maxRequestBytes: limits.http_max_request_bytes,
    json: { maxDepth: meridian.limits.json_max_depth, maxValues: meridian.limits.json_max_values },
    cors,
    csrf: csrf.unsafe_disabled
      ? undefined
      : { requiredHeaders: csrf.required_headers.map((name) => name.toLowerCase()) },
    compression: compression.enabled ? { minBytes: compression.min_size } : undefined,
  };
}
