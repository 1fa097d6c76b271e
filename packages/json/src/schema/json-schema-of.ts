import type { JsonObject } from './json-value.ts';
import type { ReadableSchema } from './schema.ts';

/** The schema as a self-contained JSON Schema. */
export function jsonSchemaOf(shape: ReadableSchema<unknown>): JsonObject {
  return shape.schema((_name, inner) => jsonSchemaOf(inner));
}
