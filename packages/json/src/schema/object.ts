import type { ExactJson } from '../parse/exact-json.ts';

import { schemaError } from './schema-error.ts';
import type { Schema, ValueOf } from './schema.ts';

/** The members of an object by name. */
export type Members = Readonly<Record<string, Schema<unknown>>>;

/** The value of an object: every member by its name in the JSON; an optional one may be undefined. */
export type ObjectOf<Declared extends Members> = {
  readonly [Name in keyof Declared]: ValueOf<Declared[Name]>;
};

/** A member that may be left out. */
export interface OptionalSchema<Value> extends Schema<Value | undefined> {
  readonly isOptional: true;
}

/** A member of an object that may be left out. An omitted member is not null. */
export function optional<Value>(shape: Schema<Value>): OptionalSchema<Value> {
  return {
    read: (json, path) => shape.read(json, path),
    // Never called for undefined: an object omits undefined members.
    write: (value) => (value === undefined ? 'null' : shape.write(value)),
    schema: (reference) => shape.schema(reference),
    isOptional: true,
  };
}

/** An object with exactly these members. */
export function object<const Declared extends Members>(
  declared: Declared,
  { description }: { readonly description?: string } = {},
): Schema<ObjectOf<Declared>> {
  const members = Object.entries(declared);
  const required = members.filter(([, shape]) => !isOptional(shape)).map(([name]) => name);
  const names = members.map(([name]) => name);
  const writers = members.map(([name, shape]) => ({ name, key: `${JSON.stringify(name)}:`, shape }));
  return {
    read(json, path = '') {
      if (!isMap(json)) {
        throw schemaError(path, 'is not a JSON object');
      }
      for (const name of json.keys()) {
        if (!Object.hasOwn(declared, name)) {
          throw schemaError(path, `has an unknown field ${shown(name)}; its fields are ${names.join(', ')}`);
        }
      }
      const prefix = path === '' ? '' : `${path}.`;
      const read = members.map(([name, shape]) => {
        const member = json.get(name);
        if (member !== undefined) {
          return [name, shape.read(member, prefix + name)];
        }
        if (isOptional(shape)) {
          return [name, undefined];
        }
        throw schemaError(prefix + name, 'is missing');
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry was read by the member of that name
      return Object.fromEntries(read) as ObjectOf<Declared>;
    },
    write(value) {
      let written = '';
      for (const { name, key, shape } of writers) {
        const member = value[name];
        if (member !== undefined) {
          written += `${written === '' ? '' : ','}${key}${shape.write(member)}`;
        }
      }
      return `{${written}}`;
    },
    schema: (reference) => ({
      type: 'object',
      description,
      properties: Object.fromEntries(members.map(([name, shape]) => [name, shape.schema(reference)])),
      required,
      additionalProperties: false,
    }),
  };
}

function isOptional(shape: Schema<unknown>): boolean {
  return 'isOptional' in shape;
}

function isMap(json: ExactJson): json is ReadonlyMap<string, ExactJson> {
  return json instanceof Map;
}

/** The most characters of a name in a message. */
const longestShown = 64;

function shown(name: string): string {
  return JSON.stringify(name.length > longestShown ? `${name.slice(0, longestShown)}…` : name);
}
