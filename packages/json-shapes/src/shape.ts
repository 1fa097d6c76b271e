import type { ExactJson } from '@meridian/exact-json';

import type { JsonObject } from './json-value.ts';

/** What a JSON value looks like. */
export interface Shape<Value> {
  /**
   * The value, in the program's own types. Throws a `ShapeError` for a value of another shape.
   *
   * @param path where it stands, such as `balance.minor_units`, for the error; absent for a whole text
   */
  read(json: ExactJson, path?: string): Value;
  /** The value as JSON text. */
  write(value: Value): string;
  /** The shape as JSON Schema 2020-12, in which each named shape is whatever `refer` puts for it. */
  schema(refer: Refer): JsonObject;
}

/** The type that a shape reads and writes. */
export type ValueOf<Of extends Shape<unknown>> = Of extends Shape<infer Value> ? Value : never;

/** What stands in a schema for a named shape: a reference to where it is written down, say. */
export type Refer = (name: string, shape: Shape<unknown>) => JsonObject;

/** What a schema says to its readers beside the shape itself. */
export interface Annotations {
  readonly description?: string;
  readonly examples?: readonly string[];
}

/** The same shape under a name, by which a document can refer to it. */
export function named<Value>(name: string, shape: Shape<Value>): Shape<Value> {
  return { ...shape, schema: (refer) => refer(name, shape) };
}

/** The shape as a JSON Schema that refers to nothing outside itself. */
export function schemaOf(shape: Shape<unknown>): JsonObject {
  return shape.schema((_name, inner) => schemaOf(inner));
}
