import type { JsonSchema } from './json-schema.ts';
import { isMapping } from './kinds/mapping.ts';
import type { Place } from './kinds/place.ts';
import { nearestKey } from './nearest-key.ts';
import { routerOnlyKeys } from './router-only-keys.ts';

/** Reports every key that the schema does not have: as one that Apollo Router has, or with the nearest that there is. */
export function reportUnknownKeys(document: unknown, schema: JsonSchema, at: Place): void {
  const known = pathsOf(schema);
  visit(document, schema, at, (place) => {
    const path = patternOf(place.path);
    if (routerOnlyKeys.has(path)) {
      place.fault('Apollo Router has this key, and this gateway does not');
    } else {
      place.fault(`is unknown; the nearest known key is ${nearestKey(path, known)}`);
    }
  });
}

function visit(value: unknown, schema: JsonSchema, at: Place, report: (at: Place) => void): void {
  if (Array.isArray(value)) {
    const items = partOf(schema, 'items');
    value.forEach((item: unknown, index) => items && visit(item, items, at.at(index), report));
  } else if (isMapping(value)) {
    const properties = partOf(schema, 'properties');
    const members = partOf(schema, 'additionalProperties');
    for (const [key, member] of Object.entries(value)) {
      const memberSchema = properties?.[key] ?? (typeof members === 'object' ? members : undefined);
      if (memberSchema !== undefined) {
        visit(member, memberSchema, at.at(key), report);
      } else if (properties !== undefined) {
        report(at.at(key));
      }
    }
  }
}

/** A part of the schema, or of the first of its alternatives that has it. */
function partOf<Name extends keyof JsonSchema>(schema: JsonSchema, name: Name): JsonSchema[Name] | undefined {
  return schema[name] ?? schema.anyOf?.find((alternative) => alternative[name] !== undefined)?.[name];
}

/** Every path that the schema knows; a name that the operator chooses is `*`, an item of a list `[]`. */
function pathsOf(schema: JsonSchema, prefix = ''): string[] {
  const properties = Object.entries(partOf(schema, 'properties') ?? {});
  const members = partOf(schema, 'additionalProperties');
  const items = partOf(schema, 'items');
  return [
    ...properties.map(([key]) => joined(prefix, key)),
    ...properties.flatMap(([key, member]) => pathsOf(member, joined(prefix, key))),
    ...(typeof members === 'object' ? pathsOf(members, joined(prefix, '*')) : []),
    ...(items === undefined ? [] : pathsOf(items, `${prefix}[]`)),
  ];
}

/** The path as the tables of keys write it, where the names of subgraphs, sources and the like are `*`. */
function patternOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((shown, key, index) => {
    if (typeof key === 'number') {
      return `${shown}[]`;
    }
    const parent = path[index - 1];
    const name = parent === 'subgraphs' || parent === 'sources' ? '*' : key;
    return joined(shown, name);
  }, '');
}

function joined(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`;
}
