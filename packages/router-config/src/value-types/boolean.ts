import { orExpansion } from '../json-schema.ts';
import type { Kind } from './value-type.ts';
import { unreadable } from './value-type.ts';

/** `true` or `false`. */
export const boolean: Kind<boolean> = {
  read: (value, at) => {
    if (typeof value === 'boolean') {
      return value;
    }
    at.faultOfKind(value, 'true or false');
    return unreadable;
  },
  schema: orExpansion({ type: 'boolean' }),
};
