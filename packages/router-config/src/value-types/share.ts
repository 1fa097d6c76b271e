import { orExpansion } from '../json-schema.ts';
import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** A part of a whole: above 0, and at most 1. */
export const share: ValueType<number> = {
  read: (value, at) => {
    if (typeof value === 'number' && value > 0 && value <= 1) {
      return value;
    }
    at.faultOfKind(value, 'a part of 1, such as 0.5');
    return invalid;
  },
  schema: orExpansion({ type: 'number', minimum: 0 }),
};
