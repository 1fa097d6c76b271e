import { fixedText } from './fixed-text.ts';
import type { Tape } from './tape.ts';
import { byte } from './tape.ts';
import { bailOut } from './fast-path-bailout.ts';
import type { SplicedObject } from './spliced-object.ts';
import { listMark, nextCell, nullMark, objectMark } from './spliced-object.ts';

/** Writes an object. Returns false, and writes nothing, if it must be null. */
export type WriteObject = (tape: Tape, object: SplicedObject) => boolean;

const nullText = fixedText('null');

/**
 * Writes an object, a list of objects, or null. Bails out if no response supplied it.
 *
 * @param isNullable whether an object that has to be null may be
 */
export function writeObjects(tape: Tape, at: number, writeObject: WriteObject, isNullable: boolean): void {
  const value = tape.words[at] ?? 0;
  const mark = tape.words[at + 1] ?? 0;
  if (mark === objectMark) {
    if (!writeObject(tape, value)) {
      tape.writeFixed(isNullable ? nullText : bailOut());
    }
  } else if (mark === nullMark) {
    tape.writeFixed(nullText);
  } else if (mark === listMark) {
    writeList(tape, value, writeObject, isNullable);
  } else {
    bailOut();
  }
}

function writeList(tape: Tape, first: number, writeObject: WriteObject, isNullable: boolean): void {
  tape.writeByte(byte.openBracket);
  for (let cell = first; cell !== 0; cell = tape.words[cell + nextCell] ?? 0) {
    if (cell !== first) {
      tape.writeByte(byte.comma);
    }
    writeObjects(tape, cell, writeObject, isNullable);
  }
  tape.writeByte(byte.closeBracket);
}
