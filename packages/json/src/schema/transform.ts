import type { ReadableSchema } from './schema.ts';

/** The same schema, whose value is converted after it is read. */
export function transform<Value, Made>(
  shape: ReadableSchema<Value>,
  make: (value: Value) => Made,
): ReadableSchema<Made> {
  return {
    read: (json, path) => make(shape.read(json, path)),
    schema: (reference) => shape.schema(reference),
  };
}
