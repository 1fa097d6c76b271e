import type { ValueType as Scalar } from '@meridian/values';

import type { JsonSchema } from '../json-schema.ts';
import type { Place } from './place.ts';

/** Replaces a value that was reported as a fault, or a text with a variable that has no value. */
export const invalid: unique symbol = Symbol('unreadable');

/** A value, or the mark that there is none because of a fault that was reported. */
export type Reading<Value> = Value | typeof invalid;

/** One type of value in the file: how it is read, and what a JSON Schema says of it. */
export interface ValueType<Value> {
  /** Reads the file's notation of the value; reports a fault at the place when it is malformed. */
  readonly read: (value: unknown, at: Place) => Reading<Value>;
  readonly schema: JsonSchema;
}

/** Makes the type of a value without members: of a type of `@meridian/values`, or of one of Apollo Router's notations. */
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
