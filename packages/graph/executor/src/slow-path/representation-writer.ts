import type { GraphQLSchema } from 'graphql';

import type { DataObject } from './data.ts';
import { isObject, property } from './data.ts';
import type { FetchStep, RequiredSelection } from '../plan/plan.ts';
import { isLookedUp, requiredFields, sentTypename } from '../selections/representations.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';

/**
 * Writes the representation of an object as JSON. Undefined for an object that cannot be looked up: its type is
 * unknown or not requested, or a required field was not fetched. A fetched null is sent.
 */
export type WriteRepresentation = (object: DataObject) => string | undefined;

interface FieldWriter {
  readonly planName: string;
  /** `"<name>":` */
  readonly keyText: string;
  readonly write: (value: unknown) => string | undefined;
}

export function createRepresentationWriter(
  supergraph: Pick<Supergraph, 'schema' | 'subgraphTypes'>,
  step: FetchStep,
): WriteRepresentation {
  const { schema } = supergraph;
  const writeFields = createFieldsWriter(schema, step.requires ?? []);
  /** The texts before the fields; '' for a type that is not looked up. */
  const starts = new Map<string, string>();
  const startOf = (typeName: string): string => {
    const sent = sentTypename(schema, step.typenameRewrites, typeName);
    return isLookedUp(supergraph, step, typeName) ? `{"__typename":${JSON.stringify(sent)}` : '';
  };
  return (object) => {
    const { __typename } = object;
    if (typeof __typename !== 'string' || schema.getType(__typename) === undefined) {
      return undefined;
    }
    const start = starts.get(__typename) ?? startOf(__typename);
    starts.set(__typename, start);
    const fields = start === '' ? undefined : writeFields(object, __typename);
    return fields === undefined ? undefined : `${start}${fields}}`;
  };
}

/** Writes the fields of an object, each with a comma before it. */
type WriteFields = (object: DataObject, typeName: string | undefined) => string | undefined;

function createFieldsWriter(schema: GraphQLSchema, selections: readonly RequiredSelection[]): WriteFields {
  const byType = new Map<string | undefined, readonly FieldWriter[]>();
  const writersFor = (typeName: string | undefined): readonly FieldWriter[] => {
    const writers = byType.get(typeName) ?? fieldWriters(schema, selections, typeName);
    byType.set(typeName, writers);
    return writers;
  };
  return (object, typeName) => {
    let text = '';
    for (const { planName, keyText, write } of writersFor(typeName)) {
      const value = property(object, planName);
      const written = value === undefined ? undefined : write(value);
      if (written === undefined) {
        return undefined;
      }
      text += `,${keyText}${written}`;
    }
    return text;
  };
}

function fieldWriters(
  schema: GraphQLSchema,
  selections: readonly RequiredSelection[],
  typeName: string | undefined,
): readonly FieldWriter[] {
  return requiredFields(schema, selections, typeName).map(({ name, planName, isLeaf, below }) => ({
    planName,
    keyText: `${JSON.stringify(name)}:`,
    write: isLeaf ? (value) => JSON.stringify(value) : createValueWriter(createNestedWriter(schema, below)),
  }));
}

/** Writes an object below the entity, with `__typename` only if it is required. */
function createNestedWriter(
  schema: GraphQLSchema,
  selections: readonly RequiredSelection[],
): (object: DataObject) => string | undefined {
  const writeFields = createFieldsWriter(schema, selections);
  const hasTypename = asksForTypename(selections);
  return (object) => {
    const { __typename } = object;
    const typeName = typeof __typename === 'string' && schema.getType(__typename) ? __typename : undefined;
    const fields = hasTypename && typeName === undefined ? undefined : writeFields(object, typeName);
    if (fields === undefined) {
      return undefined;
    }
    const typename = hasTypename ? `,"__typename":${JSON.stringify(typeName)}` : '';
    return `{${`${typename}${fields}`.slice(1)}}`;
  };
}

function asksForTypename(selections: readonly RequiredSelection[]): boolean {
  return selections.some((selection) =>
    selection.kind === 'fragment' ? asksForTypename(selection.selections) : selection.name === '__typename',
  );
}

function createValueWriter(writeObject: (object: DataObject) => string | undefined): FieldWriter['write'] {
  const write = (value: unknown): string | undefined => {
    if (value === null) {
      return 'null';
    }
    if (Array.isArray(value)) {
      const items = value.map(write);
      return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
    }
    return isObject(value) ? writeObject(value) : undefined;
  };
  return write;
}
