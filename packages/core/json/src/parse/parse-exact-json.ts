import { ExactJsonError } from './exact-json-error.ts';
import type { ExactJson } from './exact-json.ts';
import { JsonReader } from './json-reader.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const byteOrderMark = '\uFEFF';

/**
 * Reads the bytes of one JSON text (RFC 8259) in time linear in their number.
 *
 * An integer becomes a `bigint` and must be in [-2^63, 2^63-1]; any other number becomes a `DecimalNumber`. Beyond RFC
 * 8259 it rejects what parsers disagree about: duplicate keys (compared after their escapes are resolved), `-0`, and an
 * escaped half of a surrogate pair, which a UTF-8 store could not return (RFC 7493 §2).
 *
 * Contract: Resource API, "64-bit integers are exact".
 *
 * @throws {ExactJsonError} and no other error, when the text is rejected
 */
export function parseExactJson(bytes: Uint8Array): ExactJson {
  const text = decode(bytes);
  if (text.startsWith(byteOrderMark)) {
    throw new ExactJsonError('byte-order-mark', 0);
  }
  return new JsonReader(text).readText();
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ExactJsonError('invalid-utf-8', firstInvalidByte(bytes));
  }
}

/**
 * The position of the first malformed byte: there the bytes differ from what a lenient decoder, which inserts U+FFFD,
 * would encode again.
 */
function firstInvalidByte(bytes: Uint8Array): number {
  const replaced = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  return bytes.findIndex((byte, index) => byte !== replaced[index]);
}
