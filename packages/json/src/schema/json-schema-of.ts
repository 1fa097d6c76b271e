import type { JsonObject } from './json-value.ts';
import type { ReadableSchema } from './schema.ts';

/** The schema as a self-contained JSON Schema. */
export function jsonSchemaOf(schema: ReadableSchema<unknown>): JsonObject {
  return schema.jsonSchema((_name, inner) => jsonSchemaOf(inner));
}
