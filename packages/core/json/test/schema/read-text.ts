import { parseExactJson, SchemaError } from '@meridian/json';
import type { ReadableSchema } from '@meridian/json';

/** Reads a JSON text by a schema. */
export function read<Value>(schema: ReadableSchema<Value>, json: string): Value {
  return schema.read(parseExactJson(Buffer.from(json)));
}

/** The fault of a text by a schema; undefined when it has none. */
export function faultOf(schema: ReadableSchema<unknown>, json: string): string | undefined {
  try {
    read(schema, json);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) {
      return error.message;
    }
    throw error;
  }
}
