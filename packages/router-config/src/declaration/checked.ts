import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** A type with a rule over its whole value: `fault` returns the end of a sentence, or undefined for a valid value. */
export function checked<Value>(
  kind: ValueType<Value>,
  fault: (value: Value) => string | undefined,
): ValueType<Value> {
  return {
    read: (value, at) => {
      const read = kind.read(value, at);
      if (read === invalid) {
        return invalid;
      }
      const found = fault(read);
      if (found === undefined) {
        return read;
      }
      at.fault(found);
      return invalid;
    },
    schema: kind.schema,
  };
}
