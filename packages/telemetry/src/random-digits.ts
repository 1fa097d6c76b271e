import { randomFillSync } from 'node:crypto';

/** Creates a generator of unguessable hexadecimal digits, two for a byte. */
export function createRandomDigits(): (bytes: number) => string {
  // One call for this many costs about as much as a call for a few.
  const store = Buffer.alloc(512);
  let digits = '';
  let used = 0;
  return (bytes) => {
    if (used + 2 * bytes > digits.length) {
      digits = randomFillSync(store).toString('hex');
      used = 0;
    }
    used += 2 * bytes;
    return digits.slice(used - 2 * bytes, used);
  };
}
