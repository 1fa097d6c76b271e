/** Bytes that are not an HTTP/1.1 message. Nothing that follows them on the connection can be trusted. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
