import type { GraphQLOutputType } from 'graphql';
import { getNullableType, isListType, isNonNullType } from 'graphql';

import type { Tape } from '../tape/tape.ts';
import { byte } from '../tape/tape.ts';
import { enterArray, nextElement } from '../tape/tokens.ts';
import { skipNull } from '../tape/skip-value.ts';
import type { SplicedObject } from '../tape/spliced-object.ts';
import { createCell, listMark, nextCell, nullMark, objectMark, putMarked } from '../tape/spliced-object.ts';

/** Reads the object that is next. */
export type ReadObject = (tape: Tape) => SplicedObject;

/** Reads what is next as the value at a place in the words of a tape. */
export type ReadValue = (tape: Tape, at: number) => void;

/** Creates what reads an object, or lists of objects, where the type has them: with null where it allows that. */
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
