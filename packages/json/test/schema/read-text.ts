import { parseExactJson, SchemaError } from '@meridian/json';
import type { ReadableSchema } from '@meridian/json';

/** Reads a JSON text by a shape. */
export function read<Value>(shape: ReadableSchema<Value>, json: string): Value {
  return shape.read(parseExactJson(Buffer.from(json)));
}

/** Why the shape refuses the text; undefined when it does not. */
export function faultOf(shape: ReadableSchema<unknown>, json: string): string | undefined {
  try {
    read(shape, json);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) {
      return error.message;
    }
    throw error;
  }
}
