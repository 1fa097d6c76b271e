import type { JsonSchema } from '../json-schema.ts';
import { joined } from '../keys-in.ts';
import { keyNote } from './key-notes.ts';

/** A schema whose keys say what they do, as an editor shows it. */
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
    // The alternatives are of one key, which has said what it does.
    ...(anyOf && { anyOf: anyOf.map((alternative) => withoutOwn(withDescriptions(alternative, path))) }),
  };
}

function withoutOwn({ description: _own, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
