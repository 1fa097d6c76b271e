/**
 * A text that is known before a run, as little-endian words of four bytes: comparing and writing it takes a quarter
 * of the steps. Such code may read and write up to three bytes after a text, which have no meaning there.
 */
export interface FixedText {
  /** In bytes. */
  readonly length: number;
  /** The last one is filled up with zeros. */
  readonly words: Int32Array;
  /** The bits of the last word that belong to the text. */
  readonly lastMask: number;
}

const wordBytes = 4;

export function fixedText(text: string): FixedText {
  const { length } = Buffer.from(text);
  const padded = Buffer.alloc(Math.ceil(length / wordBytes) * wordBytes);
  padded.write(text);
  const words = Int32Array.from({ length: padded.length / wordBytes }, (_word, index) =>
    padded.readInt32LE(index * wordBytes),
  );
  return { length, words, lastMask: (-1 >>> (8 * (padded.length - length))) | 0 };
}
