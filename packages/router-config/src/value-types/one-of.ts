import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** One of a few words. */
export function oneOf<const Word extends string>(...args: readonly Word[]): ValueType<Word> {
  return {
    read: (value, at) => {
      const known = args.find((word) => word === value);
      if (known !== undefined) {
        return known;
      }
      at.faultOfKind(value, args.length === 1 ? `only ${args[0]}` : `one of ${args.join(', ')}`);
      return invalid;
    },
    schema: { enum: args },
  };
}
