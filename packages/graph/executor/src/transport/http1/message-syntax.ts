/** Bytes that are not an HTTP/1.1 message. Nothing that follows them on the connection can be trusted. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** A header field line as RFC 9112 §5 has it: a token, a colon right after it, and no control character but the tab. */
export const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/;

/** The maximum size of a head, or of all trailers together: four times a token and a trace. */
export const maxHeadBytes = 65_536;
