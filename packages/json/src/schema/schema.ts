import type { ExactJson } from '../parse/exact-json.ts';

import type { JsonObject } from './json-value.ts';

/** The schema of a JSON value that is read, and never written. */
export interface ReadableSchema<Value> {
  /**
   * The value, in the program's own types.
   *
   * @param path its path, such as `balance.minor_units`, for the error; absent for a whole text
   * @throws {SchemaError} for another value
   */
  read(json: ExactJson, path?: string): Value;
  /** The schema as JSON Schema 2020-12. `reference` replaces each named schema. */
  jsonSchema(reference: Reference): JsonObject;
}

/** The schema of a JSON value. */
export interface Schema<Value> extends ReadableSchema<Value> {
  /** The value as JSON text. */
  write(value: Value): string;
}

/** The type that a schema reads and writes. */
export type ValueOf<Of extends Schema<unknown>> = Of extends Schema<infer Value> ? Value : never;

/** Replaces a named schema by a reference, such as to the place of its definition. */
export type Reference = (name: string, schema: ReadableSchema<unknown>) => JsonObject;

/** Annotations of a schema for its readers. */
export interface Annotations {
  readonly description?: string;
  readonly examples?: readonly string[];
}
