import type { JsonSchema } from '../declaration/json-schema.ts';
import { isMapping } from '../declaration/mapping.ts';
import type { Place } from '../declaration/place.ts';

/** A key of a file. */
export interface FoundKey {
  readonly at: Place;
  /** Its path as the tables of keys write it: `*` is a name that the operator chooses, `[]` an item of a list. */
  readonly pattern: string;
  readonly value: unknown;
  /** True if the schema has it. */
  readonly isKnown: boolean;
}

/** Every key of a document with a value instead of further keys, and every key that the schema lacks. */
export function keysIn(document: unknown, schema: JsonSchema, at: Place, pattern = ''): FoundKey[] {
  const members = membersOf(document, schema, at, pattern);
  if (members === undefined) {
    return [{ at, pattern, value: document, isKnown: true }];
  }
  return members.flatMap(({ schema: memberSchema, ...key }) =>
    memberSchema === undefined
      ? [{ ...key, isKnown: false }]
      : keysIn(key.value, memberSchema, key.at, key.pattern),
  );
}

/** Every path of a schema, including its sections. */
export function pathsOf(schema: JsonSchema, prefix = ''): string[] {
  const properties = Object.entries(partOf(schema, 'properties') ?? {});
  const named = partOf(schema, 'additionalProperties');
  const items = partOf(schema, 'items');
  return [
    ...properties.map(([key]) => joined(prefix, key)),
    ...properties.flatMap(([key, member]) => pathsOf(member, joined(prefix, key))),
    ...(typeof named === 'object' ? pathsOf(named, joined(prefix, '*')) : []),
    ...(items === undefined ? [] : pathsOf(items, `${prefix}[]`)),
  ];
}

/** The schema of a member; with alternatives, from the first one that has it. */
export function partOf<Name extends keyof JsonSchema>(
  schema: JsonSchema,
  name: Name,
): JsonSchema[Name] | undefined {
  return schema[name] ?? schema.anyOf?.map((alternative) => partOf(alternative, name)).find(Boolean);
}

/** The path of a member. */
export function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

interface Member {
  readonly value: unknown;
  /** Undefined for a key that the schema lacks. */
  readonly schema: JsonSchema | undefined;
  readonly at: Place;
  readonly pattern: string;
}

/** The members of a map or of a list of maps; undefined for a value. */
function membersOf(value: unknown, schema: JsonSchema, at: Place, pattern: string): Member[] | undefined {
  const items = partOf(schema, 'items');
  if (Array.isArray(value) && items !== undefined && partOf(items, 'properties') !== undefined) {
    return value.map((item: unknown, index) => ({
      value: item,
      schema: items,
      at: at.at(index),
      pattern: `${pattern}[]`,
    }));
  }
  const properties = partOf(schema, 'properties');
  const named = partOf(schema, 'additionalProperties');
  if (!isMapping(value) || (properties === undefined && typeof named !== 'object')) {
    return undefined;
  }
  return Object.entries(value).map(([key, member]) => ({
    value: member,
    schema: ownMember(properties, key) ?? (typeof named === 'object' ? named : undefined),
    at: at.at(key),
    pattern: joined(pattern, properties === undefined ? '*' : key),
  }));
}

/** A file may have keys such as `constructor`, which every object has. */
function ownMember<Value>(
  members: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return members !== undefined && Object.hasOwn(members, key) ? members[key] : undefined;
}
