import { byte } from './byte.ts';
import { giveUp } from './mismatch.ts';
import type { SplicedObject } from './spliced-object.ts';
import { listMark, nextCell, nullMark, objectMark } from './spliced-object.ts';
import type { Tape } from './tape.ts';

export type WriteObject = (tape: Tape, object: SplicedObject) => void;

const nullText = Buffer.from('null');

/** Writes an object, or a list of objects, or null. Gives up where no answer has brought it. */
export function writeObjects(tape: Tape, at: number, writeObject: WriteObject): void {
  const value = tape.words[at] ?? 0;
  const mark = tape.words[at + 1] ?? 0;
  if (mark === objectMark) {
    writeObject(tape, value);
  } else if (mark === nullMark) {
    tape.write(nullText);
  } else if (mark === listMark) {
    writeList(tape, value, writeObject);
  } else {
    giveUp();
  }
}

function writeList(tape: Tape, first: number, writeObject: WriteObject): void {
  tape.writeByte(byte.openBracket);
  for (let cell = first; cell !== 0; cell = tape.words[cell + nextCell] ?? 0) {
    if (cell !== first) {
      tape.writeByte(byte.comma);
    }
    writeObjects(tape, cell, writeObject);
  }
  tape.writeByte(byte.closeBracket);
}
