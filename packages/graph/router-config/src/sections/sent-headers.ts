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

/** Header fields that `matching` skips, as in Apollo Router: the gateway's, and those that a rule must name. */
export const reservedHeaders: ReadonlySet<string> = new Set([
  ...gatewayOnlyHeaders,
  'accept',
  'host',
  'proxy-authenticate',
  'proxy-authorization',
]);
