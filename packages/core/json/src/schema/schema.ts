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

/** The schema as a self-contained JSON Schema. */
export function jsonSchemaOf(schema: ReadableSchema<unknown>): JsonObject {
  return schema.jsonSchema((_name, inner) => jsonSchemaOf(inner));
}

/** The same schema under a name, by which a document can refer to it. */
export function named<Named extends ReadableSchema<unknown>>(name: string, schema: Named): Named {
  return { ...schema, jsonSchema: (reference: Reference) => reference(name, schema) };
}

/** A member that is accepted and ignored, whatever its value: clients send back what they have read. */
export function ignored({ description }: { readonly description: string }): Schema<undefined> {
  return { read: () => undefined, write: () => 'null', jsonSchema: () => ({ description }) };
}

/** The same schema, whose value is converted after it is read. */
export function transform<Value, Made>(
  schema: ReadableSchema<Value>,
  make: (value: Value) => Made,
): ReadableSchema<Made> {
  return {
    read: (json, path) => make(schema.read(json, path)),
    jsonSchema: (reference) => schema.jsonSchema(reference),
  };
}
