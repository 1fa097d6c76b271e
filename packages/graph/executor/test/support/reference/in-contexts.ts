import type { GraphQLSchema } from 'graphql';

import type { ContextVariable, FetchStep } from '../../../src/plan/plan.ts';
import { isOfType } from '../../../src/supergraph/schema-types.ts';
import type { DataObject, Target } from './data-object.ts';
import { typeNameOf } from './data-object.ts';

/** Objects of a fetch for which its context variables have the same values. */
interface InContext {
  readonly values: Readonly<Record<string, unknown>>;
  readonly targets: Target[];
}

interface Surroundings {
  readonly data: DataObject;
  readonly schema: GraphQLSchema;
}

/** The targets of a fetch by the values of its context variables, without those for which one was not fetched. */
export function inContexts(
  { contextVariables }: FetchStep,
  targets: readonly Target[],
  surroundings: Surroundings,
): readonly InContext[] {
  if (contextVariables.length === 0) {
    return [{ values: {}, targets: [...targets] }];
  }
  const groups = new Map<string, InContext>();
  for (const target of targets) {
    const entries = contextVariables.map((variable) => [
      variable.name,
      valueFor(target, variable, surroundings),
    ]);
    if (entries.some(([, value]) => value === undefined)) {
      continue;
    }
    const key = JSON.stringify(entries);
    const group: InContext = groups.get(key) ?? { values: Object.fromEntries(entries), targets: [] };
    group.targets.push(target);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function valueFor(
  { path }: Target,
  { levels, ways }: ContextVariable,
  { data, schema }: Surroundings,
): unknown {
  // The objects from the root to the target: one for the root, and one for each field of the path.
  const objects = [data, ...path.flatMap((_key, index) => objectAt(data, path.slice(0, index + 1)))];
  const start = objects[objects.length - 1 - levels];
  for (const way of ways) {
    let values: unknown = start;
    for (const step of way) {
      values = deep(values, (object) => {
        if (step.kind === 'field') {
          return object.get(step.name);
        }
        return isOfType(schema, typeNameOf(object) ?? '', step.name) ? object : undefined;
      });
    }
    if (values !== undefined) {
      return values;
    }
  }
  return undefined;
}

/** Nothing where a list is at the path. */
function objectAt(data: DataObject, path: Target['path']): readonly DataObject[] {
  let value: unknown = data;
  for (const key of path) {
    if (value instanceof Map) {
      value = value.get(key);
    } else {
      value = Array.isArray(value) ? value[Number(key)] : undefined;
    }
  }
  if (!(value instanceof Map)) {
    return [];
  }
  const object: DataObject = value;
  return [object];
}

/** Maps an object, or each of a list; nulls stay, and a list of which something was not fetched was not fetched. */
function deep(value: unknown, map: (object: DataObject) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => deep(item, map));
    return items.includes(undefined) ? undefined : items;
  }
  if (value instanceof Map) {
    const object: DataObject = value;
    return map(object);
  }
  return value === null ? null : undefined;
}
