// Looks for bytes in words of four, without a branch for each byte: "Hacker's Delight" §6-1. The lowest marked byte of
// a word, the first in memory, is always right; a borrow may mark a byte above it in error.

/** The highest bit of each byte that is not a plain character of a string: quotes, backslashes, control characters. */
export function specialCharacters(word: number): number {
  // Swaps quote and space, so that the quote is the next character after the control characters.
  const swapped = word ^ 0x02_02_02_02;
  const noBackslash = word ^ 0x5c_5c_5c_5c;
  return (
    (((swapped - 0x21_21_21_21) & ~swapped) | ((noBackslash - 0x01_01_01_01) & ~noBackslash)) & 0x80_80_80_80
  );
}

/** The highest bit of each closing brace. */
export function closingBraces(word: number): number {
  const noBrace = word ^ 0x7d_7d_7d_7d;
  return (noBrace - 0x01_01_01_01) & ~noBrace & 0x80_80_80_80;
}

/** The index of the lowest marked byte. */
export function firstMarked(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >>> 3;
}
