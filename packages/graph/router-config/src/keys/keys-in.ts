import type { JsonSchema } from '../declaration/json-schema.ts';
import { memberOf, namedMembers, partOf } from '../declaration/json-schema.ts';
import { isMapping } from '../declaration/mapping.ts';
import type { Place } from '../declaration/place.ts';

/** A key of a file. */
export interface FoundKey {
  readonly at: Place;
  /** Its path as the tables of keys write it: `*` is a name that the operator chooses, `[]` an item of a list. */
  readonly pattern: string;
  readonly value: unknown;
  /** Undefined for a key that the schema lacks. */
  readonly schema: JsonSchema | undefined;
}

/** Every key of a document with a value instead of further keys, and every key that the schema lacks. */
export function keysIn(value: unknown, schema: JsonSchema, at: Place, pattern = ''): FoundKey[] {
  const items = partOf(schema, 'items');
  if (Array.isArray(value) && items !== undefined && partOf(items, 'properties') !== undefined) {
    return value.flatMap((item: unknown, index) => keysIn(item, items, at.at(index), `${pattern}[]`));
  }
  const properties = partOf(schema, 'properties');
  if (!isMapping(value) || (properties === undefined && namedMembers(schema) === undefined)) {
    return [{ at, pattern, value, schema }];
  }
  return Object.entries(value).flatMap(([name, member]) => {
    const path = joined(pattern, properties === undefined ? '*' : name);
    const declared = memberOf(schema, name);
    return declared === undefined
      ? [{ at: at.at(name), pattern: path, value: member, schema: undefined }]
      : keysIn(member, declared, at.at(name), path);
  });
}

/** Every path of a schema, including its sections. */
export function pathsOf(schema: JsonSchema, prefix = ''): string[] {
  const properties = Object.entries(partOf(schema, 'properties') ?? {});
  const named = namedMembers(schema);
  const items = partOf(schema, 'items');
  return [
    ...properties.map(([name]) => joined(prefix, name)),
    ...properties.flatMap(([name, member]) => pathsOf(member, joined(prefix, name))),
    ...(named === undefined ? [] : pathsOf(named, joined(prefix, '*'))),
    ...(items === undefined ? [] : pathsOf(items, `${prefix}[]`)),
  ];
}

/** The path of a member. */
export function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
