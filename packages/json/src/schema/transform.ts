import type { ReadableSchema } from './schema.ts';

/** The same schema, whose value is converted after it is read. */
export function transform<Value, Made>(
  schema: ReadableSchema<Value>,
  make: (value: Value) => Made,
): ReadableSchema<Made> {
  return {
    read: (json, path) => make(schema.read(json, path)),
    jsonSchema: (reference) => schema.jsonSchema(reference),
  };
}
