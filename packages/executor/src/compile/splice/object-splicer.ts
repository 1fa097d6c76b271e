import type { GraphQLOutputType, SelectionSetNode } from 'graphql';
import { Kind, getNamedType, getNullableType, isListType, isNonNullType, isObjectType } from 'graphql';

import { byte } from '../../run/splice/byte.ts';
import { expectBytes, startsWith } from '../../run/splice/expect-bytes.ts';
import { nextItem, startItems } from '../../run/splice/list-items.ts';
import { giveUp } from '../../run/splice/mismatch.ts';
import { addToPlace } from '../../run/splice/places.ts';
import type { SkipLeaf } from '../../run/splice/skip-leaf.ts';
import { skipNull } from '../../run/splice/skip-leaf.ts';
import type { SplicedObject } from '../../run/splice/spliced-object.ts';
import {
  copyValue,
  createCell,
  createObject,
  listMark,
  nextCell,
  noteText,
  nullMark,
  objectMark,
  putMarked,
  putText,
  slotOffset,
  typeOf,
} from '../../run/splice/spliced-object.ts';
import type { Tape } from '../../run/splice/tape.ts';
import { answeredFields } from '../answered-fields.ts';
import type { Layout } from './layout.ts';
import { selectsTypename } from './layout.ts';
import type { LeafRuns } from './leaf-runs.ts';
import type { SplicedSchemas } from './leaf-skipper.ts';
import { leafSkipper } from './leaf-skipper.ts';
import type { TypeNumbers } from './type-numbers.ts';

/** Reads what a fetch selected of the objects at one place, in the order in which it was selected. */
export interface ObjectSplicer {
  /** Reads an object into one of the data. */
  readonly readInto: (tape: Tape, target: SplicedObject) => void;
  /** Reads an object that no other fetch has brought. */
  readonly read: (tape: Tape) => SplicedObject;
  /** Takes what was read into one object for another of the same type. */
  readonly copy: (tape: Tape, source: SplicedObject, target: SplicedObject) => void;
}

/** What is read of one type. */
interface Shape {
  readonly type: number;
  /** What an object starts with that says its type first. */
  readonly start: Buffer;
  readonly fields: readonly FieldSplicer[];
  /** The offsets of all values that are read into. */
  readonly offsets: readonly number[];
  /** What follows the last value. */
  readonly end: Buffer;
}

interface FieldSplicer {
  /** All between the value before and this one. */
  readonly before: Buffer;
  /** Moves over a leaf; absent for objects. */
  readonly skip: SkipLeaf | undefined;
  /** Absent for a leaf. */
  readonly read: ReadValue | undefined;
  /** Of the value, from its object; 0 for a leaf that is not wanted by itself. */
  readonly offset: number;
  /** How long the key is that a run starts with; 0 where none starts here. */
  readonly runKeyLength: number;
  /** Of the run that ends here, from its object; 0 where none does. */
  readonly runOffset: number;
  /** How much of what follows belongs to that run. */
  readonly runRest: number;
}

/** Reads what is next as the value at a place in the words of a tape. */
type ReadValue = (tape: Tape, at: number) => void;

export interface SplicerOptions {
  readonly schemas: SplicedSchemas;
  readonly runs: LeafRuns;
  readonly types: TypeNumbers;
}

const typenameStart = Buffer.from('{"__typename":"');

/**
 * Creates the reader of selections. What it does for one type is worked out when that type is first met.
 *
 * @param staticType that the objects have at least
 */
export function createObjectSplicer(
  sets: readonly SelectionSetNode[],
  options: SplicerOptions,
  { layout, staticType }: { readonly layout: Layout; readonly staticType: string },
): ObjectSplicer {
  const { schemas, types } = options;
  const shapes: Shape[] = [];
  const shapeOf = (type: number): Shape => {
    for (const shape of shapes) {
      if (shape.type === type) {
        return shape;
      }
    }
    const shape = createShape(sets, options, { layout, typeName: types.nameOf(type) });
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
    return isObjectType(schemas.schema.getType(typeName)) ? shapeOf(types.numberOf(typeName)) : giveUp();
  };
  const isConcrete = isObjectType(schemas.schema.getType(staticType));
  const onlyType = isConcrete ? types.numberOf(staticType) : 0;
  const nextShape = isConcrete ? () => shapeOf(onlyType) : shapeAt;
  // Most entities that a fetch only points to are pointed to more than once.
  const isKeyOnly = sets.some(selectsTypename) && sets.every(hasLeavesOnly);
  const isAllThatIsBrought = layout.brought[0]?.every((set) => sets.includes(set)) === true;
  const slotCount = layout.slots.size;
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
  /** One object for all that have an equal text. */
  const readPointedTo = (tape: Tape): SplicedObject => {
    const { equals, position: start } = tape;
    const object = readNew(tape);
    const entry = equals.entryOf(tape.view, scope, start, tape.position);
    const known = equals.valueAt(entry);
    if (known !== 0) {
      tape.release(object);
      return known;
    }
    equals.setValueAt(entry, object);
    if (isAllThatIsBrought) {
      noteText(tape, object, 0, start, tape.position);
    }
    addToPlace(tape, layout.place, object);
    return object;
  };

  return {
    readInto(tape, target) {
      readFields(tape, shapeOf(typeOf(tape, target)), target);
    },
    read: layout.isTarget ? (isKeyOnly ? readPointedTo : readTarget) : readNew,
    copy(tape, source, target) {
      const type = typeOf(tape, source);
      if (type !== typeOf(tape, target)) {
        giveUp();
      }
      for (const offset of shapeOf(type).offsets) {
        copyValue(tape, source + offset, target + offset);
      }
    },
  };
}

function readFields(tape: Tape, { fields, end }: Shape, object: SplicedObject): void {
  let runStart = 0;
  for (const { before, skip, read, offset, runKeyLength, runOffset, runRest } of fields) {
    expectBytes(tape, before);
    const start = tape.position;
    if (runKeyLength > 0) {
      runStart = start - runKeyLength;
    }
    read?.(tape, object + offset);
    skip?.(tape);
    if (skip !== undefined && offset > 0) {
      putText(tape, object + offset, start, tape.position);
    }
    if (runOffset > 0) {
      putText(tape, object + runOffset, runStart, tape.position + runRest);
    }
  }
  expectBytes(tape, end);
}

function typenameAt(tape: Tape): string {
  const { bytes, position } = tape;
  expectBytes(tape, typenameStart);
  const start = tape.position;
  tape.position = position;
  return bytes.toString('latin1', start, bytes.indexOf(byte.quote, start));
}

function createShape(
  sets: readonly SelectionSetNode[],
  { schemas, runs, types }: SplicerOptions,
  { layout, typeName }: { readonly layout: Layout; readonly typeName: string },
): Shape {
  const type = schemas.schema.getType(typeName);
  if (!isObjectType(type)) {
    return giveUp();
  }
  const runsHere = runs(layout, typeName);
  const answered = answeredFields(schemas.schema, sets, typeName);
  const keys = [...answered.keys()];
  const fields: FieldSplicer[] = [];
  const offsets: number[] = [];
  let before = '';
  let separator = '{';
  for (const [key, nodes] of answered) {
    const keyText = `"${key}":`;
    before += separator + keyText;
    separator = ',';
    const [node] = nodes;
    if (node?.name.value === '__typename') {
      before += `"${typeName}"`;
      continue;
    }
    const definition = node && type.getFields()[node.name.value];
    const slot = layout.slots.get(key);
    const below = layout.below.get(key);
    if (definition === undefined || slot === undefined) {
      return giveUp();
    }
    const offset = slotOffset(slot);
    offsets.push(offset);
    const beforeField = Buffer.from(before);
    before = '';
    if (below !== undefined) {
      const staticType = getNamedType(definition.type).name;
      const setsBelow = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      const { read } = createObjectSplicer(
        setsBelow,
        { schemas, runs, types },
        { layout: below, staticType },
      );
      const readObjects = objectsReader(definition.type, read);
      fields.push({ ...ofNoRun, before: beforeField, skip: undefined, read: readObjects, offset });
      continue;
    }
    const skip = leafSkipper(schemas, definition.type);
    const run = runsHere.find(({ names }) => names.includes(key));
    if (run === undefined) {
      fields.push({ ...ofNoRun, before: beforeField, skip, read: undefined, offset });
      continue;
    }
    const { names, keptAt, endsObject } = run;
    const [first] = names;
    if (first === key && !names.every((name, index) => name === keys[keys.indexOf(first) + index])) {
      giveUp();
    }
    const isEnd = key === names.at(-1);
    fields.push({
      before: beforeField,
      skip,
      read: undefined,
      offset: layout.required.has(key) ? offset : 0,
      runKeyLength: key === first ? keyText.length : 0,
      runOffset: isEnd ? slotOffset(layout.slots.get(keptAt) ?? giveUp()) : 0,
      runRest: isEnd && endsObject ? '}'.length : 0,
    });
  }
  return {
    type: types.numberOf(typeName),
    start: Buffer.from(`${typenameStart.toString()}${typeName}"`),
    fields,
    offsets,
    end: Buffer.from(`${separator === '{' ? '{' : before}}`),
  };
}

const ofNoRun = { runKeyLength: 0, runOffset: 0, runRest: 0 } as const;

function objectsReader(type: GraphQLOutputType, readObject: ObjectSplicer['read']): ReadValue {
  const nullable = getNullableType(type);
  const read = isListType(nullable)
    ? listReader(objectsReader(nullable.ofType, readObject))
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

function objectReader(readObject: ObjectSplicer['read']): ReadValue {
  return (tape, at) => putMarked(tape, at, readObject(tape), objectMark);
}

function listReader(readItem: ReadValue): ReadValue {
  return (tape, at) => {
    let first = 0;
    let last = 0;
    for (let isThere = startItems(tape); isThere; isThere = nextItem(tape)) {
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

function hasLeavesOnly({ selections }: SelectionSetNode): boolean {
  return selections.every(
    (selection) =>
      selection.kind !== Kind.FRAGMENT_SPREAD &&
      (selection.selectionSet === undefined ||
        (selection.kind === Kind.INLINE_FRAGMENT && hasLeavesOnly(selection.selectionSet))),
  );
}
