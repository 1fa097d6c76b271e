import type { Kind } from './value-type.ts';
import { unreadable } from './value-type.ts';

/** A kind with a rule over its whole value: `fault` returns the end of a sentence, or undefined where all is well. */
export function checked<Value>(kind: Kind<Value>, fault: (value: Value) => string | undefined): Kind<Value> {
  return {
    read: (value, at) => {
      const read = kind.read(value, at);
      if (read === unreadable) {
        return unreadable;
      }
      const found = fault(read);
      if (found === undefined) {
        return read;
      }
      at.fault(found);
      return unreadable;
    },
    schema: kind.schema,
  };
}
