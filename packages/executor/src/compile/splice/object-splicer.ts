import type { GraphQLOutputType, SelectionSetNode } from 'graphql';
import { Kind, getNamedType, getNullableType, isListType, isNonNullType, isObjectType } from 'graphql';

import type { Cursor } from '../../run/splice/cursor.ts';
import { byte, expectBytes, giveUp } from '../../run/splice/cursor.ts';
import { readItems } from '../../run/splice/read-items.ts';
import { readNull } from '../../run/splice/read-leaf.ts';
import type { SplicedValue } from '../../run/splice/spliced-object.ts';
import { SplicedObject } from '../../run/splice/spliced-object.ts';
import { answeredFields } from '../answered-fields.ts';
import type { Layout } from './layout.ts';
import { selectsTypename } from './layout.ts';
import type { SplicedSchemas } from './leaf-reader.ts';
import { leafReader } from './leaf-reader.ts';

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
}

type ReadValue = (cursor: Cursor) => SplicedValue;

const typenameStart = Buffer.from('{"__typename":"');

/**
 * Creates the reader of selections. What it does for one type is worked out when that type is first met.
 *
 * @param staticType that the objects have at least
 */
export function createObjectSplicer(
  schemas: SplicedSchemas,
  sets: readonly SelectionSetNode[],
  { layout, staticType }: { readonly layout: Layout; readonly staticType: string },
): ObjectSplicer {
  const { schema } = schemas;
  const shapes = new Map<string, Shape>();
  const shapeOf = (typeName: string): Shape => {
    const shape = shapes.get(typeName) ?? createShape(schemas, sets, { layout, typeName });
    shapes.set(typeName, shape);
    return shape;
  };
  const isConcrete = isObjectType(schema.getType(staticType));
  // Most entities that a fetch only points to are pointed to more than once.
  const isKeyOnly = sets.some(selectsTypename) && sets.every(hasLeavesOnly);

  const readNew = (cursor: Cursor): SplicedObject => {
    const shape = shapeOf(isConcrete ? staticType : typeNameAt(cursor));
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
      const { position: start, objects } = cursor;
      const object = readNew(cursor);
      if (isKeyOnly) {
        const text = cursor.text.slice(start, cursor.position);
        const byText = objects.byText[layout.place];
        const equal = byText?.get(text);
        if (equal !== undefined) {
          return equal;
        }
        byText?.set(text, object);
      }
      objects.atPlace[layout.place]?.push(object);
      return object;
    },
    copy(source, target) {
      if (source.typeName !== target.typeName) {
        giveUp();
      }
      for (const { slot } of shapeOf(source.typeName).fields) {
        put(target.values, slot, source.values[slot]);
      }
    },
  };
}

function readFields(cursor: Cursor, { fields, end }: Shape, values: SplicedValue[]): void {
  for (const { before, slot, read } of fields) {
    expectBytes(cursor, before);
    put(values, slot, read(cursor));
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
  schemas: SplicedSchemas,
  sets: readonly SelectionSetNode[],
  { layout, typeName }: { readonly layout: Layout; readonly typeName: string },
): Shape {
  const type = schemas.schema.getType(typeName);
  if (!isObjectType(type)) {
    giveUp();
  }
  const fields: FieldSplicer[] = [];
  let before = '';
  let separator = '{';
  for (const [key, nodes] of answeredFields(schemas.schema, sets, typeName)) {
    before += `${separator}"${key}":`;
    separator = ',';
    const [node] = nodes;
    if (node?.name.value === '__typename') {
      before += `"${typeName}"`;
      continue;
    }
    const definition = node && type.getFields()[node.name.value];
    const slot = layout.slots.get(key);
    if (definition === undefined || slot === undefined) {
      giveUp();
    }
    const below = layout.below.get(key);
    const read =
      below === undefined
        ? leafReader(schemas, definition.type)
        : objectsReader(
            definition.type,
            createObjectSplicer(
              schemas,
              nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
              { layout: below, staticType: getNamedType(definition.type).name },
            ).read,
          );
    fields.push({ before: Buffer.from(before), slot, read });
    before = '';
  }
  return {
    typeName,
    fields,
    end: Buffer.from(`${separator === '{' ? '{' : before}}`),
    unread: Array.from({ length: layout.slots.size }),
  };
}

function objectsReader(type: GraphQLOutputType, readObject: ObjectSplicer['read']): ReadValue {
  const nullable = getNullableType(type);
  const read = isListType(nullable) ? listReader(objectsReader(nullable.ofType, readObject)) : readObject;
  return isNonNullType(type)
    ? read
    : (cursor) => {
        if (cursor.bytes[cursor.position] !== byte.n) {
          return read(cursor);
        }
        readNull(cursor);
        return null;
      };
}

function listReader(read: ReadValue): ReadValue {
  return (cursor) => {
    const items: SplicedValue[] = [];
    readItems(cursor, () => void items.push(read(cursor)));
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
