import type { GraphQLSchema } from 'graphql';

import type { FetchStep, RequiredSelection } from '../../plan/plan.ts';
import { bailOut } from '../tape/fast-path-bailout.ts';
import { fixedText } from '../tape/fixed-text.ts';
import type { SplicedObject } from '../tape/spliced-object.ts';
import { hasReadText, slotOffset, typeOf, writeNotedText, writeText } from '../tape/spliced-object.ts';
import type { Tape } from '../tape/tape.ts';
import type { WriteObject } from '../tape/write-objects.ts';
import { writeObjects } from '../tape/write-objects.ts';
import { isLookedUp, requiredFields, sentTypename } from '../../selections/representations.ts';
import { responseFields } from '../../selections/response-fields.ts';
import type { Supergraph } from '../../supergraph/load-supergraph.ts';
import type { Layout } from './layout.ts';
import type { TypeNumbers } from './type-numbers.ts';

/** Writes the representation of an object on its tape. */
export type SpliceRepresentation = (tape: Tape, object: SplicedObject) => WrittenRepresentation;

/** `unique`: no other object at the same place has the same one. Undefined for an object of another type. */
export type WrittenRepresentation = 'written' | 'unique' | undefined;

interface RepresentationOptions {
  readonly types: TypeNumbers;
  /** Of the objects. */
  readonly layout: Layout;
}

/** Creates the writer of representations; undefined if they need values that objects may lack. */
export function createRepresentationSplicer(
  supergraph: Pick<Supergraph, 'schema' | 'subgraphTypes'>,
  step: FetchStep,
  { types, layout }: RepresentationOptions,
): SpliceRepresentation | undefined {
  const { schema } = supergraph;
  const { path, requires = [], typenameRewrites: rewrites } = step;
  /** The types of objects that the fetch is for; undefined for all types. */
  const pathTypes = path.at(-1)?.types;
  if (!layout.hasTypename || !requires.every((selection) => isSpliced(selection, layout, 0))) {
    return undefined;
  }
  const byType: (RepresentationOfType | undefined)[] = [];
  const ofType = (type: number): RepresentationOfType => {
    const typeName = types.nameOf(type);
    if (pathTypes?.includes(typeName) === false || !isLookedUp(supergraph, step, typeName)) {
      return { write: undefined, isAsRead: false };
    }
    const fields = requiredFields(schema, requires, typeName);
    const sentName = sentTypename(schema, rewrites, typeName);
    const start = `{"__typename":${JSON.stringify(sentName)}`;
    return {
      write: fieldsWriter(schema, fields, { layout, start }),
      isAsRead: sentName === typeName && areRead(schema, fields, { layout, typeName }),
    };
  };
  return (tape, object) => {
    const type = typeOf(tape, object);
    const { write, isAsRead } = (byType[type] ??= ofType(type));
    if (isAsRead && hasReadText(tape, object)) {
      writeNotedText(tape, object);
      return 'unique';
    }
    write?.(tape, object);
    return write && 'written';
  };
}

interface RepresentationOfType {
  readonly write: WriteObject | undefined;
  /** True when it is the recorded text of the object. */
  readonly isAsRead: boolean;
}

function areRead(
  schema: GraphQLSchema,
  fields: ReturnType<typeof requiredFields>,
  { layout, typeName }: { readonly layout: Layout; readonly typeName: string },
): boolean {
  const [read = [], ...later] = layout.fetched.map((sets) => [
    ...responseFields(schema, sets, typeName).keys(),
  ]);
  const sent = ['__typename', ...fields.map(({ name }) => name)];
  return (
    fields.length > 0 &&
    read.length === sent.length &&
    read.every((key, index) => key === sent[index]) &&
    fields.every(({ name, planName, isLeaf }) => isLeaf && name === planName) &&
    // A later response may contain another value for it.
    !later.some((keys) => fields.some(({ planName }) => keys.includes(planName)))
  );
}

/** True when all requested fields are known, including the types of nested objects where they matter. */
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

/** Writes the value at a place in the words of a tape. */
type WriteValue = (tape: Tape, at: number) => void;

function fieldsWriter(
  schema: GraphQLSchema,
  fields: ReturnType<typeof requiredFields>,
  { layout, start }: { readonly layout: Layout; readonly start: string },
): WriteObject {
  let before = start;
  const pieces = fields.map(({ name, planName, isLeaf, below: selections }) => {
    const below = layout.below.get(planName);
    const piece = {
      before: fixedText(`${before}${before === '{' ? '' : ','}${JSON.stringify(name)}:`),
      offset: slotOffset(layout.slots.get(planName) ?? bailOut()),
      write:
        isLeaf || below === undefined
          ? writeText
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
  const end = fixedText(`${before}}`);
  return (tape, object) => {
    for (const { before: constant, offset, write } of pieces) {
      tape.writeFixed(constant);
      write(tape, object + offset);
    }
    tape.writeFixed(end);
    return true;
  };
}

function objectsWriter(writeObject: WriteObject): WriteValue {
  return (tape, at) => writeObjects(tape, at, writeObject, false);
}
