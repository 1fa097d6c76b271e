import type { ValueType as Scalar } from '@meridian/values';

import type { JsonSchema } from './json-schema.ts';
import type { Place } from './place.ts';

/** Replaces a value that was reported as a fault, or a text with a variable that has no value. */
export const invalid: unique symbol = Symbol('unreadable');

/** A value, or the mark for a reported fault. */
export type Reading<Value> = Value | typeof invalid;

/** One type of value in the file, with its reader and its JSON Schema. */
export interface ValueType<Value> {
  /** Reads a value from the file's notation; reports a fault at the place of a malformed one. */
  readonly read: (value: unknown, at: Place) => Reading<Value>;
  readonly schema: JsonSchema;
}

/**
 * Creates the type of a value without members, from a type of `@meridian/values` or one of Apollo Router's notations.
 */
export function scalar<Value>({
  takes,
  read,
  schema,
}: Pick<Scalar<Value>, 'takes' | 'read'> & { readonly schema: JsonSchema }): ValueType<Value> {
  return {
    read: (value, at) => {
      const taken = read(value);
      if (taken !== undefined) {
        return taken;
      }
      at.faultOfKind(value, takes);
      return invalid;
    },
    schema,
  };
}

/** The type that a type of value reads as. */
export type ValueOf<Of> = Of extends ValueType<infer Value> ? Value : never;
