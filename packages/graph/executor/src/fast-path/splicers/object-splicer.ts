import type { SelectionSetNode } from 'graphql';
import { Kind, isObjectType } from 'graphql';

import type { Tape } from '../tape/tape.ts';
import { byte } from '../tape/tape.ts';
import { endOfFlatObject, expectText, startsWith } from '../tape/tokens.ts';
import { bailOut } from '../tape/fast-path-bailout.ts';
import { fixedText } from '../tape/fixed-text.ts';
import type { SplicedObject } from '../tape/spliced-object.ts';
import {
  addToPlace,
  copyValue,
  createObject,
  isWrittenBy,
  noteText,
  putText,
  typeOf,
} from '../tape/spliced-object.ts';
import { selectsTypename } from './layout.ts';
import type { ObjectsAt, Shape, SplicerOptions } from './shape.ts';
import { createShape, typenameStart } from './shape.ts';
import type { SkipLeaf } from '../tape/skip-value.ts';
import { skipInt, skipString } from '../tape/skip-value.ts';
import type { ReadObject } from './value-reader.ts';

/** Reads a fetch's selections of the objects at one place, in the order of the selections. */
export interface ObjectSplicer {
  /** Reads an object into one of the data. */
  readonly readInto: (tape: Tape, target: SplicedObject) => void;
  /** Reads an object that no other fetch supplies. */
  readonly read: ReadObject;
  /** Copies the read values of one object to another of the same type. */
  readonly copy: (tape: Tape, source: SplicedObject, target: SplicedObject) => void;
}

const typenameBytes = fixedText(typenameStart);

/** Creates the reader of selections. Its code for a type is compiled when the type first occurs. */
export function createObjectSplicer(
  sets: readonly SelectionSetNode[],
  options: SplicerOptions,
  { layout, staticType }: ObjectsAt,
): ObjectSplicer {
  const { schemas, types } = options;
  const readerOf = (setsBelow: readonly SelectionSetNode[], objects: ObjectsAt): ReadObject =>
    createObjectSplicer(setsBelow, options, objects).read;
  const shapes: Shape[] = [];
  const shapeOf = (type: number): Shape => {
    for (const shape of shapes) {
      if (shape.type === type) {
        return shape;
      }
    }
    const shape = createShape(sets, options, { layout, typeName: types.nameOf(type) }, readerOf);
    shapes.push(shape);
    return shape;
  };
  const shapeAt = (tape: Tape): Shape => {
    for (const shape of shapes) {
      if (startsWith(tape, shape.start)) {
        return shape;
      }
    }
    const typeName = typenameAt(tape);
    return isObjectType(schemas.schema.getType(typeName)) ? shapeOf(types.numberOf(typeName)) : bailOut();
  };
  const isConcrete = isObjectType(schemas.schema.getType(staticType));
  const onlyType = isConcrete ? types.numberOf(staticType) : 0;
  const nextShape = isConcrete ? () => shapeOf(onlyType) : shapeAt;
  // Most entities that are only referenced are referenced more than once.
  const isReferenceOnly = sets.some(selectsTypename) && sets.every(hasLeavesOnly);
  const isAllThatIsBrought = layout.fetched[0]?.every((set) => sets.includes(set)) === true;
  const slotCount = layout.slots.size;
  const reader = options.nextWriterNumber();
  const scope = layout.place + 1;

  const readNew = (tape: Tape): SplicedObject => {
    const shape = nextShape(tape);
    const object = createObject(tape, shape.type, slotCount);
    readFields(tape, shape, object);
    return object;
  };
  const readTarget = (tape: Tape): SplicedObject => {
    const object = readNew(tape);
    addToPlace(tape, layout.place, object);
    return object;
  };
  /** One object for all with equal text. A text that was read here before needs no second look. */
  const readEntityReference = (tape: Tape): SplicedObject => {
    const { equals, position: start } = tape;
    const likelyEnd = endOfFlatObject(tape);
    let entry = equals.entryOf(tape.view, scope, start, likelyEnd);
    let known = equals.valueAt(entry);
    if (known !== 0 && isWrittenBy(tape, known, reader)) {
      tape.position = likelyEnd;
      return known;
    }
    const object = readNew(tape);
    const { position: end } = tape;
    if (end !== likelyEnd) {
      entry = equals.entryOf(tape.view, scope, start, end);
      known = equals.valueAt(entry);
    }
    if (known !== 0) {
      tape.release(object);
      return known;
    }
    equals.setValueAt(entry, object);
    noteText(tape, object, reader, start, isAllThatIsBrought ? end : 0);
    addToPlace(tape, layout.place, object);
    return object;
  };

  return {
    readInto(tape, target) {
      readFields(tape, shapeOf(typeOf(tape, target)), target);
    },
    read: layout.isTarget ? (isReferenceOnly ? readEntityReference : readTarget) : readNew,
    copy(tape, source, target) {
      const type = typeOf(tape, source);
      if (type !== typeOf(tape, target)) {
        bailOut();
      }
      for (const offset of shapeOf(type).offsets) {
        copyValue(tape, source + offset, target + offset);
      }
    },
  };
}

function readFields(tape: Tape, { fields, end }: Shape, object: SplicedObject): void {
  let runStart = 0;
  for (const { before, skip, read, offset, spanKeyLength, spanOffset, spanRest } of fields) {
    expectText(tape, before);
    const start = tape.position;
    if (spanKeyLength > 0) {
      runStart = start - spanKeyLength;
    }
    if (read === undefined) {
      skipLeaf(tape, skip);
      if (offset > 0) {
        putText(tape, object + offset, start, tape.position);
      }
    } else {
      read(tape, object + offset);
    }
    if (spanOffset > 0) {
      putText(tape, object + spanOffset, runStart, tape.position + spanRest);
    }
  }
  expectText(tape, end);
}

/** Calls the most frequent functions directly, so that V8 inlines them. */
function skipLeaf(tape: Tape, skip: SkipLeaf): void {
  if (skip === skipString) {
    skipString(tape);
  } else if (skip === skipInt) {
    skipInt(tape);
  } else {
    skip(tape);
  }
}

function typenameAt(tape: Tape): string {
  const { bytes, position } = tape;
  expectText(tape, typenameBytes);
  const start = tape.position;
  tape.position = position;
  return bytes.toString('latin1', start, bytes.indexOf(byte.quote, start));
}

function hasLeavesOnly({ selections }: SelectionSetNode): boolean {
  return selections.every(
    (selection) =>
      selection.kind !== Kind.FRAGMENT_SPREAD &&
      (selection.selectionSet === undefined ||
        (selection.kind === Kind.INLINE_FRAGMENT && hasLeavesOnly(selection.selectionSet))),
  );
}
