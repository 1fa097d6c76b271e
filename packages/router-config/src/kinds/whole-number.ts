import { orExpansion } from '../json-schema.ts';
import type { Kind } from './kind.ts';
import { unreadable } from './kind.ts';

/** A whole number that is not below the minimum. */
export function wholeNumber({ minimum }: { minimum: number }): Kind<number> {
  return {
    read: (value, at) => {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) {
        return value;
      }
      at.faultOfKind(value, `a whole number from ${minimum} up`);
      return unreadable;
    },
    schema: orExpansion({ type: 'integer', minimum }),
  };
}
