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
export function optional<Value>(schema: Schema<Value>): OptionalSchema<Value> {
  return {
    read: (json, path) => schema.read(json, path),
    // Never called for undefined: an object omits undefined members.
    write: (value) => (value === undefined ? 'null' : schema.write(value)),
    jsonSchema: (reference) => schema.jsonSchema(reference),
    isOptional: true,
  };
}

/** An object with exactly these members. */
export function object<const Declared extends Members>(
  declared: Declared,
  { description }: { readonly description?: string } = {},
): Schema<ObjectOf<Declared>> {
  const members = Object.entries(declared);
  const required = members.filter(([, schema]) => !isOptional(schema)).map(([name]) => name);
  const names = members.map(([name]) => name);
  const writers = members.map(([name, schema]) => ({ name, key: `${JSON.stringify(name)}:`, schema }));
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
      const read = members.map(([name, schema]) => {
        const member = json.get(name);
        if (member !== undefined) {
          return [name, schema.read(member, prefix + name)];
        }
        if (isOptional(schema)) {
          return [name, undefined];
        }
        throw schemaError(prefix + name, 'is missing');
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry was read by the member of that name
      return Object.fromEntries(read) as ObjectOf<Declared>;
    },
    write(value) {
      let written = '';
      for (const { name, key, schema } of writers) {
        const member = value[name];
        if (member !== undefined) {
          written += `${written === '' ? '' : ','}${key}${schema.write(member)}`;
        }
      }
      return `{${written}}`;
    },
    jsonSchema: (reference) => ({
      type: 'object',
      description,
      properties: Object.fromEntries(members.map(([name, schema]) => [name, schema.jsonSchema(reference)])),
      required,
      additionalProperties: false,
    }),
  };
}

function isOptional(schema: Schema<unknown>): boolean {
  return 'isOptional' in schema;
}

function isMap(json: ExactJson): json is ReadonlyMap<string, ExactJson> {
  return json instanceof Map;
}

/** The most characters of a name in a message. */
const maxShownLength = 64;

function shown(name: string): string {
  return JSON.stringify(name.length > maxShownLength ? `${name.slice(0, maxShownLength)}…` : name);
}
