import type { GraphQLOutputType, SelectionSetNode } from 'graphql';
import { Kind, getNamedType, getNullableType, isListType, isNonNullType, isObjectType } from 'graphql';

import type { Cursor } from '../../run/splice/cursor.ts';
import { byte, expectBytes, giveUp } from '../../run/splice/cursor.ts';
import { nextItem, startItems } from '../../run/splice/list-items.ts';
import type { SkipLeaf } from '../../run/splice/skip-leaf.ts';
import { skipNull } from '../../run/splice/skip-leaf.ts';
import type { SplicedValue } from '../../run/splice/spliced-object.ts';
import { SplicedObject } from '../../run/splice/spliced-object.ts';
import { answeredFields } from '../answered-fields.ts';
import type { Layout } from './layout.ts';
import { selectsTypename } from './layout.ts';
import type { LeafRuns } from './leaf-runs.ts';
import type { SplicedSchemas } from './leaf-skipper.ts';
import { leafSkipper } from './leaf-skipper.ts';

/** Reads what a fetch selected of the objects at one place, in the order in which it was selected. */
export interface ObjectSplicer {
  /** Reads an object into one of the data. */
  readonly readInto: (cursor: Cursor, target: SplicedObject) => void;
  /** Reads an object that no other fetch has brought. */
  readonly read: (cursor: Cursor) => SplicedObject;
  /** Takes what was read into one object for another of the same type. */
  readonly copy: (source: SplicedObject, target: SplicedObject) => void;
}

/** What is read of one type. */
interface Shape {
  readonly typeName: string;
  readonly fields: readonly FieldSplicer[];
  /** All that is read into. */
  readonly slots: readonly number[];
  /** What follows the last value. */
  readonly end: Buffer;
  /** The values of an object before any is read. */
  readonly unread: readonly SplicedValue[];
}

interface FieldSplicer {
  /** All between the value before and this one. */
  readonly before: Buffer;
  readonly slot: number;
  readonly read: ReadValue;
  /** Absent for objects. */
  readonly skip: SkipLeaf | undefined;
}

/** Reads a value at the cursor; with it, leaves that are wanted by themselves are put where they belong. */
type ReadValue = (cursor: Cursor, values: SplicedValue[]) => SplicedValue;

export interface SplicerOptions {
  readonly schemas: SplicedSchemas;
  readonly runs: LeafRuns;
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
  const { schema } = options.schemas;
  const shapes = new Map<string, Shape>();
  const shapeOf = (typeName: string): Shape => {
    const shape = shapes.get(typeName) ?? createShape(sets, options, { layout, typeName });
    shapes.set(typeName, shape);
    return shape;
  };
  const isConcrete = isObjectType(schema.getType(staticType));
  // Most entities that a fetch only points to are pointed to more than once.
  const isKeyOnly = sets.some(selectsTypename) && sets.every(hasLeavesOnly);

  const shapeAt = (cursor: Cursor): Shape => shapeOf(isConcrete ? staticType : typeNameAt(cursor));
  const readNew = (cursor: Cursor): SplicedObject => {
    const shape = shapeAt(cursor);
    const object = new SplicedObject(shape.typeName, shape.unread.slice());
    readFields(cursor, shape, object.values);
    return object;
  };

  return {
    readInto(cursor, target) {
      readFields(cursor, shapeOf(target.typeName), target.values);
    },
    read(cursor) {
      if (!layout.isTarget) {
        return readNew(cursor);
      }
      const { atPlace, byText } = cursor.objects;
      if (!isKeyOnly) {
        const object = readNew(cursor);
        atPlace[layout.place]?.push(object);
        return object;
      }
      const start = cursor.position;
      skipFields(cursor, shapeAt(cursor));
      const text = cursor.text.slice(start, cursor.position);
      const equal = byText[layout.place]?.get(text);
      if (equal !== undefined) {
        return equal;
      }
      cursor.position = start;
      const object = readNew(cursor);
      byText[layout.place]?.set(text, object);
      atPlace[layout.place]?.push(object);
      return object;
    },
    copy(source, target) {
      if (source.typeName !== target.typeName) {
        giveUp();
      }
      for (const slot of shapeOf(source.typeName).slots) {
        put(target.values, slot, source.values[slot]);
      }
    },
  };
}

function readFields(cursor: Cursor, { fields, end }: Shape, values: SplicedValue[]): void {
  for (const { before, slot, read } of fields) {
    expectBytes(cursor, before);
    put(values, slot, read(cursor, values));
  }
  expectBytes(cursor, end);
}

/** Moves over an object that has leaves only. */
function skipFields(cursor: Cursor, { fields, end }: Shape): void {
  for (const { before, skip } of fields) {
    expectBytes(cursor, before);
    skip?.(cursor);
  }
  expectBytes(cursor, end);
}

/** A null never takes the place of a value: which of two subgraphs answers first must not matter. */
function put(values: SplicedValue[], slot: number, value: SplicedValue): void {
  if ((value !== null && value !== 'null') || values[slot] === undefined) {
    values[slot] = value;
  }
}

function typeNameAt(cursor: Cursor): string {
  const { text, position } = cursor;
  expectBytes(cursor, typenameStart);
  const start = cursor.position;
  cursor.position = position;
  return text.slice(start, text.indexOf('"', start));
}

function createShape(
  sets: readonly SelectionSetNode[],
  { schemas, runs }: SplicerOptions,
  { layout, typeName }: { readonly layout: Layout; readonly typeName: string },
): Shape {
  const type = schemas.schema.getType(typeName);
  if (!isObjectType(type)) {
    return giveUp();
  }
  const runsHere = runs(layout, typeName);
  const fields: FieldSplicer[] = [];
  const slots: number[] = [];
  let leaves: Leaf[] = [];
  let before = '';
  let separator = '{';
  const endRun = (): void => {
    const [first] = leaves;
    if (first !== undefined) {
      const { before: beforeRun, slot } = first;
      fields.push({ before: beforeRun, slot, read: runReader(leaves), skip: runSkipper(leaves) });
    }
    leaves = [];
  };
  let leftOfRun = 0;
  const answered = answeredFields(schemas.schema, sets, typeName);
  const keys = [...answered.keys()];
  for (const [key, nodes] of answered) {
    before += `${separator}"${key}":`;
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
    slots.push(slot);
    if (below === undefined) {
      if (leftOfRun === 0) {
        endRun();
        const run = runsHere.get(key) ?? [key];
        const start = keys.indexOf(key);
        leftOfRun = run.every((name, index) => name === keys[start + index]) ? run.length : giveUp();
      }
      leftOfRun -= 1;
      leaves.push({
        before: Buffer.from(before),
        skip: leafSkipper(schemas, definition.type),
        slot,
        isWanted: layout.required.has(key),
      });
    } else {
      endRun();
      const staticType = getNamedType(definition.type).name;
      const setsBelow = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      const { read } = createObjectSplicer(setsBelow, { schemas, runs }, { layout: below, staticType });
      const readObjects = objectsReader(definition.type, read);
      fields.push({ before: Buffer.from(before), slot, read: readObjects, skip: undefined });
    }
    before = '';
  }
  endRun();
  return {
    typeName,
    fields,
    slots,
    end: Buffer.from(`${separator === '{' ? '{' : before}}`),
    unread: Array.from({ length: layout.slots.size }),
  };
}

/** A leaf of a run. */
interface Leaf {
  readonly before: Buffer;
  readonly skip: SkipLeaf;
  readonly slot: number;
  /** Whether it is wanted by itself, too. */
  readonly isWanted: boolean;
}

function runSkipper([first, ...others]: readonly Leaf[]): SkipLeaf {
  const skipFirst = first?.skip ?? giveUp;
  return (cursor) => {
    skipFirst(cursor);
    for (const { before, skip } of others) {
      expectBytes(cursor, before);
      skip(cursor);
    }
  };
}

/** Reads leaves as one text, with the keys between them. */
function runReader(leaves: readonly Leaf[]): ReadValue {
  const [first, ...others] = leaves;
  const skipFirst = first?.skip ?? giveUp;
  if (!others.some(({ isWanted }) => isWanted)) {
    const skipAll = others.length === 0 ? skipFirst : runSkipper(leaves);
    return (cursor) => {
      const start = cursor.position;
      skipAll(cursor);
      return cursor.text.slice(start, cursor.position);
    };
  }
  return (cursor, values) => {
    const start = cursor.position;
    skipFirst(cursor);
    for (const { before, skip, slot, isWanted } of others) {
      expectBytes(cursor, before);
      const ownStart = cursor.position;
      skip(cursor);
      if (isWanted) {
        values[slot] = cursor.text.slice(ownStart, cursor.position);
      }
    }
    return cursor.text.slice(start, cursor.position);
  };
}

function objectsReader(type: GraphQLOutputType, readObject: ObjectSplicer['read']): ReadValue {
  const nullable = getNullableType(type);
  const read = isListType(nullable) ? listReader(objectsReader(nullable.ofType, readObject)) : readObject;
  return isNonNullType(type)
    ? read
    : (cursor, values) => {
        if (cursor.bytes[cursor.position] !== byte.n) {
          return read(cursor, values);
        }
        skipNull(cursor);
        return null;
      };
}

function listReader(read: ReadValue): ReadValue {
  return (cursor, values) => {
    const items: SplicedValue[] = [];
    for (let isThere = startItems(cursor); isThere; isThere = nextItem(cursor)) {
      items.push(read(cursor, values));
    }
    return items;
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
