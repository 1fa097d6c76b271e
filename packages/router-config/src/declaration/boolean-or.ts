import type { ValueType } from './value-type.ts';
import { boolean } from './boolean.ts';

/** `true`, `false`, or a more exact value. */
export function booleanOr<Value>(exact: ValueType<Value>): ValueType<boolean | Value> {
  return {
    read: (value, at) => (typeof value === 'boolean' ? value : exact.read(value, at)),
    schema: { anyOf: [boolean.schema, exact.schema] },
  };
}
