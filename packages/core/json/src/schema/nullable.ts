import type { JsonObject } from './json-value.ts';
import type { Schema } from './schema.ts';

/** A value of the schema, or null. */
export function nullable<Value>(schema: Schema<Value>): Schema<Value | null> {
  return {
    read: (json, path) => (json === null ? null : schema.read(json, path)),
    write: (value) => (value === null ? 'null' : schema.write(value)),
    jsonSchema: (reference) => schemaOrNull(schema.jsonSchema(reference)),
  };
}

function schemaOrNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  return typeof type === 'string' && values === undefined
    ? { ...schema, type: [type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}
