import { isUtf8 } from 'node:buffer';

import type { Cursor } from './cursor.ts';
import { giveUp } from './cursor.ts';

/** An answer as a cursor moves over it. */
export type ReadableAnswer = Pick<Cursor, 'bytes' | 'text'>;

export function readableAnswer(answer: string | Buffer): ReadableAnswer {
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer;
  // Decoding puts replacement characters for what is no UTF-8; what is cut out of it would keep that.
  if (typeof answer === 'string' ? !answer.isWellFormed() : !isUtf8(bytes)) {
    giveUp();
  }
  return { bytes, text: bytes.toString('latin1') };
}
