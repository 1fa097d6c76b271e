import type { ReadableSchema, Reference } from './schema.ts';

/** The same schema under a name, by which a document can refer to it. */
export function named<Named extends ReadableSchema<unknown>>(name: string, schema: Named): Named {
  return { ...schema, jsonSchema: (reference: Reference) => reference(name, schema) };
}
