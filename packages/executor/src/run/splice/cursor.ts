// Reading JSON without parsing it: every reader moves the cursor over what it expects, byte for byte, and gives up on anything
// else.
import type { SplicedObject } from './spliced-object.ts';

/** Where an answer is being read. */
export interface Cursor {
  /** The answer as it came in: well-formed UTF-8. */
  readonly bytes: Buffer;
  /** The same with a character for each byte: what is cut out of it needs no decoding, only writing as it was read. */
  readonly text: string;
  position: number;
  readonly objects: ObjectIndex;
}

/** The objects of a run that fetches are for. */
export interface ObjectIndex {
  /** By the number of their place, in the order in which they were first met. */
  readonly atPlace: readonly SplicedObject[][];
  /** By the number of their place and their text in the answer. */
  readonly byText: readonly Map<string, SplicedObject>[];
}

/** An answer is not written as expected. It may be right all the same. */
export class Mismatch extends Error {}

/** It is thrown often where a subgraph writes in its own way: its stack would say nothing. */
const mismatch = new Mismatch('The answer is not written as expected');

export function giveUp(): never {
  throw mismatch;
}

/** Moves over these bytes. */
export function expectBytes(cursor: Cursor, expected: Buffer): void {
  const { bytes, position } = cursor;
  const { length } = expected;
  for (let index = 0; index < length; index += 1) {
    if (bytes[position + index] !== expected[index]) {
      giveUp();
    }
  }
  cursor.position = position + length;
}

export const byte = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  f: 0x66,
  n: 0x6e,
  t: 0x74,
} as const;
