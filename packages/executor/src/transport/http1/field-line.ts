/** A header field line as RFC 9112 §5 has it: a token, a colon right after it, and no control character but the tab. */
export const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/;

/** What a head, or all trailers together, may hold: a token and a trace fit four times. */
export const maxHeadBytes = 65_536;
