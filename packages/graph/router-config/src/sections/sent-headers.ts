/**
 * Header fields of a subrequest that the gateway alone sets: its framing, its encoding, its connection (RFC 9110
 * §7.6.1). No rule changes them.
 */
export const gatewayOnlyHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Header fields of a response that the gateway alone sets, or that describe the message of a subgraph rather than the
 * client's: framing, connection, content, validators, the rules for other origins. No rule passes them on.
 */
export const gatewayOnlyResponseHeaders: ReadonlySet<string> = new Set([
  ...gatewayOnlyHeaders,
  'accept-ranges',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-allow-private-network',
  'access-control-expose-headers',
  'access-control-max-age',
  'age',
  'apollo-trace-id',
  'content-location',
  'content-range',
  'date',
  'etag',
  'expires',
  'host',
  'http2-settings',
  'last-modified',
  'meridian-cost-actual',
  'meridian-cost-estimated',
  'pragma',
  'proxy-authenticate',
  'proxy-authorization',
  'request-id',
]);

/** Header fields that `matching` skips, as in Apollo Router: the gateway's, and those that a rule must name. */
export const reservedHeaders: ReadonlySet<string> = new Set([
  ...gatewayOnlyHeaders,
  'accept',
  'host',
  'proxy-authenticate',
  'proxy-authorization',
]);
