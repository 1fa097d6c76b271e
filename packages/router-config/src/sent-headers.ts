/**
 * The header fields that are the gateway's to say of each request to a subgraph: how the message is framed and encoded, and whose
 * the connection is (RFC 9110 §7.6.1). No rule changes them.
 */
export const ownHeaders: ReadonlySet<string> = new Set([
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

/** Those, and the ones that only a rule that names them touches: `matching` passes over all of these, as in Apollo Router. */
export const reservedHeaders: ReadonlySet<string> = new Set([
  ...ownHeaders,
  'accept',
  'host',
  'proxy-authenticate',
  'proxy-authorization',
]);
