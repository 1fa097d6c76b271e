const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening = new Set(Buffer.from('[{'));
const closing = new Set(Buffer.from(']}'));

/**
 * The items of a JSON array as they are written, which keeps numbers exact.
 *
 * @param array valid JSON
 */
export function splitArray(array: Uint8Array): Buffer[] {
  const items: Buffer[] = [];
  let depth = 0;
  let isText = false;
  let start = 0;
  for (let index = 0; index < array.length; index += 1) {
    const byte = array[index] ?? 0;
    if (isText) {
      if (byte === backslash) {
        index += 1;
      } else if (byte === quote) {
        isText = false;
      }
    } else if (byte === quote) {
      isText = true;
    } else if (opening.has(byte)) {
      depth += 1;
      if (depth === 1) {
        start = index + 1;
      }
    } else if (closing.has(byte) || (byte === comma && depth === 1)) {
      if (depth === 1) {
        items.push(Buffer.from(array.buffer, array.byteOffset + start, index - start));
        start = index + 1;
      }
      if (byte !== comma) {
        depth -= 1;
      }
    }
  }
  return items;
}
