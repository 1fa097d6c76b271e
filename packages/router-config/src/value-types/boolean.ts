import { orExpansion } from '../json-schema.ts';
import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** `true` or `false`. */
export const boolean: ValueType<boolean> = {
  read: (value, at) => {
    if (typeof value === 'boolean') {
      return value;
    }
    at.faultOfKind(value, 'true or false');
    return invalid;
  },
  schema: orExpansion({ type: 'boolean' }),
};
