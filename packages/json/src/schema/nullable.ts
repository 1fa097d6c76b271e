import type { JsonObject } from './json-value.ts';
import type { Schema } from './schema.ts';

/** A value of the schema, or null. */
export function nullable<Value>(shape: Schema<Value>): Schema<Value | null> {
  return {
    read: (json, path) => (json === null ? null : shape.read(json, path)),
    write: (value) => (value === null ? 'null' : shape.write(value)),
    schema: (reference) => schemaOrNull(shape.schema(reference)),
  };
}

function schemaOrNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  return typeof type === 'string' && values === undefined
    ? { ...schema, type: [type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}
