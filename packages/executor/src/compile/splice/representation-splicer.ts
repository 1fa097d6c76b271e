import type { GraphQLSchema } from 'graphql';

import type { RequiredSelection, TypenameRewrite } from '../../plan/plan.ts';
import { giveUp } from '../../run/splice/cursor.ts';
import type { SplicedValue } from '../../run/splice/spliced-object.ts';
import { SplicedObject } from '../../run/splice/spliced-object.ts';
import { requiredFields } from '../required-fields.ts';
import { sentTypename } from '../sent-typename.ts';
import type { Layout } from './layout.ts';

/** The representation of an object; undefined for one of a type that is not asked for. */
export type SpliceRepresentation = (object: SplicedObject) => string | undefined;

interface RepresentationOptions {
  readonly requires: readonly RequiredSelection[];
  readonly rewrites: readonly TypenameRewrite[];
  /** Of the objects. */
  readonly layout: Layout;
}

/** Creates what writes representations; undefined where they need what objects may not say. */
export function createRepresentationSplicer(
  schema: GraphQLSchema,
  { requires, rewrites, layout }: RepresentationOptions,
): SpliceRepresentation | undefined {
  if (!layout.hasTypename || !requires.every((selection) => isSpliced(selection, layout, 0))) {
    return undefined;
  }
  const byType = new Map<string, SpliceRepresentation>();
  const writerFor = (typeName: string): SpliceRepresentation => {
    const fields = requiredFields(schema, requires, typeName);
    const start = `{"__typename":${JSON.stringify(sentTypename(schema, rewrites, typeName))}`;
    return fields.length === 0 ? () => undefined : fieldsWriter(schema, fields, { layout, start });
  };
  return (object) => {
    const { typeName } = object;
    const write = byType.get(typeName) ?? writerFor(typeName);
    byType.set(typeName, write);
    return write(object);
  };
}

/** Whether all that is asked for is known: the type of an object below, too, where it makes a difference. */
function isSpliced(selection: RequiredSelection, layout: Layout, depth: number): boolean {
  if (selection.kind === 'fragment') {
    return (
      (depth === 0 || selection.typeCondition === undefined) &&
      selection.selections.every((inner) => isSpliced(inner, layout, depth))
    );
  }
  const { name, planName, selections } = selection;
  if (name === '__typename') {
    return depth === 0;
  }
  const below = layout.below.get(planName);
  if (selections === undefined) {
    return below === undefined && layout.slots.has(planName);
  }
  return below !== undefined && selections.every((inner) => isSpliced(inner, below, depth + 1));
}

type WriteObject = (object: SplicedObject) => string;

function fieldsWriter(
  schema: GraphQLSchema,
  fields: ReturnType<typeof requiredFields>,
  { layout, start }: { readonly layout: Layout; readonly start: string },
): WriteObject {
  let before = start;
  const pieces = fields.map(({ name, planName, isLeaf, below: selections }) => {
    const below = layout.below.get(planName);
    const piece = {
      before: `${before}${before === '{' ? '' : ','}${JSON.stringify(name)}:`,
      slot: layout.slots.get(planName) ?? -1,
      write:
        isLeaf || below === undefined
          ? leafText
          : objectsWriter(
              fieldsWriter(schema, requiredFields(schema, selections, undefined), {
                layout: below,
                start: '{',
              }),
            ),
    };
    before = '';
    return piece;
  });
  const end = `${before}}`;
  return ({ values }) => {
    let text = '';
    for (const { before: constant, slot, write } of pieces) {
      text += constant + write(values[slot]);
    }
    return text + end;
  };
}

function leafText(value: SplicedValue): string {
  return typeof value === 'string' ? value : giveUp();
}

function objectsWriter(writeObject: WriteObject): (value: SplicedValue) => string {
  const write = (value: SplicedValue): string => {
    if (value instanceof SplicedObject) {
      return writeObject(value);
    }
    if (value === null) {
      return 'null';
    }
    return typeof value === 'object' ? `[${value.map(write).join(',')}]` : giveUp();
  };
  return write;
}
