import type { JsonSchema } from '../declaration/json-schema.ts';
import { joined } from '../keys/keys-in.ts';
import { keyNote } from './key-notes.ts';

/** Adds a description to each key of a schema, for editors. */
export function withDescriptions(schema: JsonSchema, path = ''): JsonSchema {
  const { properties, additionalProperties: named, items, anyOf } = schema;
  const does = keyNote(path)?.does;
  return {
    ...(does !== undefined && { description: does }),
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, member]) => [key, withDescriptions(member, joined(path, key))]),
      ),
    }),
    ...(typeof named === 'object' && { additionalProperties: withDescriptions(named, joined(path, '*')) }),
    ...(items && { items: withDescriptions(items, `${path}[]`) }),
    // Alternatives belong to one key, which already has its description.
    ...(anyOf && { anyOf: anyOf.map((alternative) => withoutOwn(withDescriptions(alternative, path))) }),
  };
}

function withoutOwn({ description: _own, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
