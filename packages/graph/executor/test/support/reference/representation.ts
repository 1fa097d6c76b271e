import type { GraphQLSchema } from 'graphql';
import { print } from 'graphql';

import type { FetchStep, RequiredSelection } from '../../../src/plan/plan.ts';
import type { Supergraph } from '../../../src/supergraph/load-supergraph.ts';
import { isOfType } from '../../../src/supergraph/schema-types.ts';
import type { DataObject } from './data-object.ts';
import { typeNameOf } from './data-object.ts';

type Representation = Record<string, unknown>;

/**
 * The representation of an object. Undefined for one that cannot be looked up: its type is not known, it is not among
 * those that are asked for, or something that the representation needs was not fetched. A null that was fetched is
 * sent.
 */
export function representationOf(
  object: DataObject,
  { subgraph, requires = [], typenameRewrites }: FetchStep,
  { schema, subgraphTypes }: Pick<Supergraph, 'schema' | 'subgraphTypes'>,
): Representation | undefined {
  const typeName = typeNameOf(object);
  if (typeName === undefined || schema.getType(typeName) === undefined) {
    return undefined;
  }
  const fields = select(object, requires, schema);
  const hasFields = Object.keys(fields ?? {}).length > 0;
  delete fields?.['__typename'];
  if (fields === undefined || !hasFields) {
    return undefined;
  }
  let typename = typeName;
  for (const rewrite of typenameRewrites) {
    typename = isOfType(schema, typename, rewrite.type) ? rewrite.typename : typename;
  }
  const keys = subgraphTypes.keysOf(subgraph, typename).map((key) => print(key).replaceAll(/[{}\s]/g, ''));
  if (Object.keys(fields).length === 0 && !keys.includes('__typename')) {
    return undefined;
  }
  return { __typename: typename, ...fields };
}

/** The required fields of an object; undefined where one of them is not there. */
function select(
  object: DataObject,
  selections: readonly RequiredSelection[],
  schema: GraphQLSchema,
): Representation | undefined {
  const typeName = typeNameOf(object) ?? '';
  let selected: Representation = {};
  for (const selection of selections) {
    if (selection.kind === 'fragment') {
      const { typeCondition = typeName } = selection;
      if (isOfType(schema, typeName, typeCondition)) {
        const fields = select(object, selection.selections, schema);
        if (fields === undefined) {
          return undefined;
        }
        selected = mergeSelected(selected, fields);
      }
      continue;
    }
    const value = selectValue(object.get(selection.planName), selection.selections, schema);
    if (value === undefined) {
      return undefined;
    }
    selected = mergeSelected(selected, { [selection.name]: value });
  }
  return selected;
}

function selectValue(
  value: unknown,
  selections: readonly RequiredSelection[] | undefined,
  schema: GraphQLSchema,
): unknown {
  if (selections === undefined || value === null || value === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => selectValue(item, selections, schema));
    return items.includes(undefined) ? undefined : items;
  }
  return value instanceof Map ? select(value, selections, schema) : undefined;
}

/** Two fragments may select different parts of one object. */
function mergeSelected(one: Representation, other: Representation): Representation {
  const merged = { ...one };
  for (const [name, value] of Object.entries(other)) {
    merged[name] = mergeValues(merged[name], value);
  }
  return merged;
}

function mergeValues(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.map((item: unknown, index) => mergeValues(item, other[index]));
  }
  return isRepresentation(one) && isRepresentation(other) ? mergeSelected(one, other) : other;
}

function isRepresentation(value: unknown): value is Representation {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
