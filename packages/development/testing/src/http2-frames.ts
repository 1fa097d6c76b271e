// Parts of messages of HTTP/2 as texts, a character for each byte: a library would not send what attackers do.

/** A frame, RFC 9113 §4.1, a character for each byte. */
export function frame(type: number, flags: number, stream: number, payload = ''): string {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return head.toString('latin1') + payload;
}

/** GET https://a/nope, RFC 7541 Appendix A. */
export const getHead = '\x82\x87\x01\x01a\x04\x05/nope';

/** A client's preface and its settings. */
export const preface = `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${frame(4, 0, 0)}`;

/** An integer in the representation of HPACK (RFC 7541 §5.1) that begins with these bits. */
function integer(first: number, bits: number, value: number): string {
  const max = 2 ** bits - 1;
  if (value < max) {
    return String.fromCharCode(first + value);
  }
  let text = String.fromCharCode(first + max);
  let rest = value - max;
  for (; rest >= 128; rest = Math.floor(rest / 128)) {
    text += String.fromCharCode((rest % 128) + 128);
  }
  return text + String.fromCharCode(rest);
}

/** A field of a head, RFC 7541 §6.2. The table of the connection keeps it where it `isIndexed`. */
export function field(name: string, value: string, isIndexed = false): string {
  return (isIndexed ? '\x40' : '\0') + text(name) + text(value);
}

function text(value: string): string {
  return integer(0, 7, value.length) + value;
}

/**
 * A head in as many frames as it needs.
 *
 * @param isWhole false for a head without its end
 * @param ends false for a request with a body
 */
export function headFrames(stream: number, block: string, { isWhole = true, ends = true } = {}): string {
  const pieces = block.match(/[^]{1,16384}/gu) ?? [];
  return pieces
    .map((piece, index) =>
      frame(
        index === 0 ? 1 : 9,
        (index === 0 && ends ? 1 : 0) | (isWhole && index === pieces.length - 1 ? 4 : 0),
        stream,
        piece,
      ),
    )
    .join('');
}
