import type { SelectionSetNode } from 'graphql';
import { getNamedType, isObjectType } from 'graphql';

import { bailOut } from '../tape/fast-path-bailout.ts';
import type { FixedText } from '../tape/fixed-text.ts';
import { fixedText } from '../tape/fixed-text.ts';
import type { SkipLeaf } from '../tape/skip-value.ts';
import { skipNull } from '../tape/skip-value.ts';
import { slotOffset } from '../tape/spliced-object.ts';
import { responseFields } from '../../selections/response-fields.ts';
import type { Layout } from './layout.ts';
import type { LeafSpans } from './leaf-spans.ts';
import type { SplicerSchemas } from './leaf-skipper.ts';
import { leafSkipper } from './leaf-skipper.ts';
import type { TypeNumbers } from './type-numbers.ts';
import type { ReadObject, ReadValue } from './value-reader.ts';
import { createValueReader } from './value-reader.ts';

/** The selections of one type. */
export interface Shape {
  readonly type: number;
  /** The first bytes of an object that begins with its `__typename`. */
  readonly start: FixedText;
  readonly fields: readonly FieldSplicer[];
  /** The offsets of all values that are read into. */
  readonly offsets: readonly number[];
  /** The bytes after the last value. */
  readonly end: FixedText;
}

export interface FieldSplicer {
  /** The text between the previous value and this one. */
  readonly before: FixedText;
  /** Moves over a leaf. */
  readonly skip: SkipLeaf;
  /** Absent for a leaf. */
  readonly read: ReadValue | undefined;
  /** Of the value, from its object; 0 for a leaf that is not wanted by itself. */
  readonly offset: number;
  /** The length of the key that starts a span; 0 when no span starts here. */
  readonly spanKeyLength: number;
  /** Of the run that ends here, from its object; 0 where none does. */
  readonly spanOffset: number;
  /** The length of the rest of that span. */
  readonly spanRest: number;
}

export interface SplicerOptions {
  readonly schemas: SplicerSchemas;
  readonly leafSpans: LeafSpans;
  readonly types: TypeNumbers;
  /** A number for each reader and writer of texts in the plan, from 1. */
  readonly nextWriterNumber: () => number;
}

/** Objects at one place of the data. */
export interface ObjectsAt {
  readonly layout: Layout;
  /** The type that they have at least; empty where only their `__typename` says. */
  readonly staticType: string;
}

type ReaderOf = (sets: readonly SelectionSetNode[], objects: ObjectsAt) => ReadObject;

/** The first bytes of an object that begins with its `__typename`. */
export const typenameStart = '{"__typename":"';

/**
 * Computes what is read of a type at a place. Bails out if it cannot be spliced.
 *
 * @param readerOf creates the reader of the objects at a place below
 */
export function createShape(
  sets: readonly SelectionSetNode[],
  { schemas, leafSpans, types }: SplicerOptions,
  { layout, typeName }: { readonly layout: Layout; readonly typeName: string },
  readerOf: ReaderOf,
): Shape {
  const type = schemas.schema.getType(typeName);
  if (!isObjectType(type)) {
    return bailOut();
  }
  const runsHere = leafSpans(layout, typeName);
  const responded = responseFields(schemas.schema, sets, typeName);
  const keys = [...responded.keys()];
  const fields: FieldSplicer[] = [];
  const offsets: number[] = [];
  let before = '';
  let separator = '{';
  for (const [key, nodes] of responded) {
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
      return bailOut();
    }
    const offset = slotOffset(slot);
    offsets.push(offset);
    const beforeField = fixedText(before);
    before = '';
    if (below !== undefined) {
      const staticType = getNamedType(definition.type).name;
      const setsBelow = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      const read = createValueReader(definition.type, readerOf(setsBelow, { layout: below, staticType }));
      fields.push({ ...ofNoRun, before: beforeField, skip: skipNull, read, offset });
      continue;
    }
    const skip = leafSkipper(schemas, definition.type);
    const run = runsHere.find(({ names }) => names.includes(key));
    if (run === undefined) {
      fields.push({ ...ofNoRun, before: beforeField, skip, read: undefined, offset });
      continue;
    }
    const { names, keptAt, endsObject } = run;
    const [first = key] = names;
    const runKey = keys.indexOf(first);
    if (!names.every((name, index) => name === keys[runKey + index])) {
      bailOut();
    }
    const isEnd = key === names.at(-1);
    fields.push({
      before: beforeField,
      skip,
      read: undefined,
      offset: layout.required.has(key) ? offset : 0,
      spanKeyLength: key === first ? keyText.length : 0,
      spanOffset: isEnd ? slotOffset(layout.slots.get(keptAt) ?? bailOut()) : 0,
      spanRest: isEnd && endsObject ? '}'.length : 0,
    });
  }
  return {
    type: types.numberOf(typeName),
    start: fixedText(`${typenameStart}${typeName}"`),
    fields,
    offsets,
    end: fixedText(`${separator === '{' ? '{' : before}}`),
  };
}

const ofNoRun = { spanKeyLength: 0, spanOffset: 0, spanRest: 0 } as const;
