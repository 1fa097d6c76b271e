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
  const spansHere = leafSpans(layout, typeName);
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
    const span = spansHere.find(({ names }) => names.includes(key));
    const spanStart = keys.indexOf(span?.names[0] ?? key);
    if (span?.names.every((name, index) => name === keys[spanStart + index]) === false) {
      bailOut();
    }
    const endsSpan = key === span?.names.at(-1);
    // One literal, so that all have one hidden class: the loop over them is the hottest of the fast path.
    fields.push({
      before: fixedText(before),
      skip: below === undefined ? leafSkipper(schemas, definition.type) : skipNull,
      read:
        below &&
        createValueReader(
          definition.type,
          readerOf(
            nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
            { layout: below, staticType: getNamedType(definition.type).name },
          ),
        ),
      offset: span === undefined || layout.required.has(key) ? offset : 0,
      spanKeyLength: key === span?.names[0] ? keyText.length : 0,
      spanOffset: endsSpan ? slotOffset(layout.slots.get(span.keptAt) ?? bailOut()) : 0,
      spanRest: endsSpan && span.endsObject ? '}'.length : 0,
    });
    before = '';
  }
  return {
    type: types.numberOf(typeName),
    start: fixedText(`${typenameStart}${typeName}"`),
    fields,
    offsets,
    end: fixedText(`${separator === '{' ? '{' : before}}`),
  };
}
