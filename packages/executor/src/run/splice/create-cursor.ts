import { isUtf8 } from 'node:buffer';

import type { Cursor, ObjectIndex } from './cursor.ts';
import { giveUp } from './cursor.ts';

/** Starts reading an answer. */
export function createCursor(answer: string | Buffer, objects: ObjectIndex): Cursor {
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer;
  // Decoding puts replacement characters for what is no UTF-8; what is cut out of it would keep that.
  if (typeof answer === 'string' ? !answer.isWellFormed() : !isUtf8(bytes)) {
    giveUp();
  }
  return { bytes, text: bytes.toString('latin1'), position: 0, objects };
}
