import { orExpansion } from '../json-schema.ts';
import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** A number that is not negative, fractions included. */
export const amount: ValueType<number> = {
  read: (value, at) => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
      return value;
    }
    at.faultOfKind(value, 'a number from 0 up');
    return invalid;
  },
  schema: orExpansion({ type: 'number', minimum: 0 }),
};
