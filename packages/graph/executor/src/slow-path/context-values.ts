import type { GraphQLSchema } from 'graphql';

import type { DataObject } from './data.ts';
import { isObject, property } from './data.ts';
import type { ContextVariable, NameStep } from '../plan/plan.ts';
import type { ResponsePath } from '../result.ts';
import { isOfType } from '../supergraph/schema-types.ts';

/**
 * The values of context variables for the object at a path of the data, as the members of a JSON object. Undefined
 * where one of them has not been fetched. A null that has been fetched is one.
 */
export function contextValues(
  root: DataObject,
  path: ResponsePath,
  variables: readonly ContextVariable[],
  schema: GraphQLSchema,
): string | undefined {
  const members: string[] = [];
  for (const { name, levels, ways } of variables) {
    const from = valueAt(root, withoutLevels(path, levels));
    const value = ways.map((way) => follow(from, way, schema)).find((found) => found !== undefined);
    if (value === undefined) {
      return undefined;
    }
    members.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  }
  return members.join(',');
}

/** The path without its last fields, and the indexes below them. */
function withoutLevels(path: ResponsePath, levels: number): ResponsePath {
  if (levels === 0) {
    return path;
  }
  const field = path.findLastIndex((key) => typeof key === 'string');
  return withoutLevels(path.slice(0, Math.max(field, 0)), levels - 1);
}

/** Undefined where nothing is. */
export function valueAt(root: DataObject, path: ResponsePath): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof key === 'number') {
      return Array.isArray(value) ? value[key] : undefined;
    }
    return isObject(value) ? property(value, key) : undefined;
  }, root);
}

function follow(value: unknown, way: readonly NameStep[], schema: GraphQLSchema): unknown {
  const [step, ...rest] = way;
  if (step === undefined || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => follow(item, way, schema));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isObject(value)) {
    return undefined;
  }
  if (step.kind === 'field') {
    return follow(property(value, step.name), rest, schema);
  }
  const { __typename } = value;
  return typeof __typename === 'string' && isOfType(schema, __typename, step.name)
    ? follow(value, rest, schema)
    : undefined;
}
