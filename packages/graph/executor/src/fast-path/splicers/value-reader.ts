import type { GraphQLOutputType } from 'graphql';
import { getNullableType, isListType, isNonNullType } from 'graphql';

import type { Tape } from '../tape/tape.ts';
import { byte } from '../tape/tape.ts';
import { enterArray, nextElement } from '../tape/tokens.ts';
import { skipNull } from '../tape/skip-value.ts';
import type { SplicedObject } from '../tape/spliced-object.ts';
import { createCell, listMark, nextCell, nullMark, objectMark, putMarked } from '../tape/spliced-object.ts';

/** Reads the next object. */
export type ReadObject = (tape: Tape) => SplicedObject;

/** Reads the next value into a place of the tape's words. */
export type ReadValue = (tape: Tape, at: number) => void;

/** Creates the reader of an object or of lists of objects, by the type, with null where the type allows it. */
export function createValueReader(type: GraphQLOutputType, readObject: ReadObject): ReadValue {
  const nullable = getNullableType(type);
  const read = isListType(nullable)
    ? listReader(createValueReader(nullable.ofType, readObject))
    : objectReader(readObject);
  return isNonNullType(type)
    ? read
    : (tape, at) => {
        if (tape.bytes[tape.position] !== byte.n) {
          read(tape, at);
          return;
        }
        skipNull(tape);
        putMarked(tape, at, 0, nullMark);
      };
}

function objectReader(readObject: ReadObject): ReadValue {
  return (tape, at) => putMarked(tape, at, readObject(tape), objectMark);
}

function listReader(readItem: ReadValue): ReadValue {
  return (tape, at) => {
    let first = 0;
    let last = 0;
    for (let isThere = enterArray(tape); isThere; isThere = nextElement(tape)) {
      const cell = createCell(tape);
      if (first === 0) {
        first = cell;
      } else {
        tape.words[last + nextCell] = cell;
      }
      readItem(tape, cell);
      last = cell;
    }
    putMarked(tape, at, first, listMark);
  };
}
