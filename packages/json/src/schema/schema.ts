import type { ExactJson } from '../parse/exact-json.ts';

import type { JsonObject } from './json-value.ts';

/** The schema of a JSON value that is only read. */
export interface ReadableSchema<Value> {
  /**
   * The value, in the program's own types.
   *
   * @param path where it stands, such as `balance.minor_units`, for the error; absent for a whole text
   * @throws {SchemaError} for a value of another shape
   */
  read(json: ExactJson, path?: string): Value;
  /** The shape as JSON Schema 2020-12, in which each named shape is whatever `refer` puts for it. */
  schema(reference: Reference): JsonObject;
}

/** The schema of a JSON value. */
export interface Schema<Value> extends ReadableSchema<Value> {
  /** The value as JSON text. */
  write(value: Value): string;
}

/** The type that a shape reads and writes. */
export type ValueOf<Of extends Schema<unknown>> = Of extends Schema<infer Value> ? Value : never;

/** Replaces a named schema by a reference, such as to the place of its definition. */
export type Reference = (name: string, shape: ReadableSchema<unknown>) => JsonObject;

/** Annotations of a schema for its readers. */
export interface Annotations {
  readonly description?: string;
  readonly examples?: readonly string[];
}

/** The same shape under a name, by which a document can refer to it. */
export function named<Named extends ReadableSchema<unknown>>(name: string, shape: Named): Named {
  return { ...shape, schema: (reference: Reference) => reference(name, shape) };
}

/** The same shape, read as something that is made from its value. */
export function transform<Value, Made>(
  shape: ReadableSchema<Value>,
  make: (value: Value) => Made,
): ReadableSchema<Made> {
  return {
    read: (json, path) => make(shape.read(json, path)),
    schema: (reference) => shape.schema(reference),
  };
}

/** The shape as a JSON Schema that refers to nothing outside itself. */
export function schemaOf(shape: ReadableSchema<unknown>): JsonObject {
  return shape.schema((_name, inner) => schemaOf(inner));
}
