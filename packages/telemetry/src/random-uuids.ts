import { randomFillSync } from 'node:crypto';

/** The number of UUIDs that are made at once: one call for so many random bytes costs about as much as one for a few. */
const batchSize = 128;
const textLength = 36;
/** The positions of the hyphens. */
const hyphens: ReadonlySet<number> = new Set([8, 13, 18, 23]);
const digits = Buffer.from('0123456789abcdef');

/**
 * Creates a generator of random UUIDs, version 4. `randomUUID` of Node puts each together from twenty texts, which takes
 * a small request a hundredth of its time.
 *
 * RFC 9562 §5.4.
 */
export function createRandomUuids(): () => string {
  const random = Buffer.alloc(batchSize * 16);
  const text = Buffer.alloc(batchSize * textLength, '-');
  let batch = '';
  let used = 0;
  return () => {
    if (used === batch.length) {
      randomFillSync(random);
      writeUuids(random, text);
      batch = text.toString('latin1');
      used = 0;
    }
    used += textLength;
    return batch.slice(used - textLength, used);
  };
}

function writeUuids(random: Buffer, text: Buffer): void {
  let position = 0;
  for (let start = 0; start < random.length; start += 16) {
    // The version, and the variant.
    random[start + 6] = ((random[start + 6] ?? 0) & 0x0f) | 0x40;
    random[start + 8] = ((random[start + 8] ?? 0) & 0x3f) | 0x80;
    const begin = position;
    for (let index = start; index < start + 16; index += 1) {
      if (hyphens.has(position - begin)) {
        position += 1;
      }
      const byte = random[index] ?? 0;
      text[position] = digits[byte >> 4] ?? 0;
      text[position + 1] = digits[byte & 0x0f] ?? 0;
      position += 2;
    }
  }
}
