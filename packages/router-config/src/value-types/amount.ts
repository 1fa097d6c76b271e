import { orExpansion } from '../json-schema.ts';
import type { Kind } from './value-type.ts';
import { unreadable } from './value-type.ts';

/** A number that is not negative, fractions included. */
export const amount: Kind<number> = {
  read: (value, at) => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
      return value;
    }
    at.faultOfKind(value, 'a number from 0 up');
    return unreadable;
  },
  schema: orExpansion({ type: 'number', minimum: 0 }),
};
