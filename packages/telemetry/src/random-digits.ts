import { randomFillSync } from 'node:crypto';

/** Creates a generator of unguessable hexadecimal digits, two for a byte. */
export function createRandomDigits(): (bytes: number) => string {
  // One call for this many costs about as much as a call for a few.
  const store = Buffer.alloc(4096);
  let used = store.length;
  return (bytes) => {
    if (used + bytes > store.length) {
      randomFillSync(store);
      used = 0;
    }
    const digits = store.toString('hex', used, used + bytes);
    used += bytes;
    return digits;
  };
}
