import { orExpansion } from '../json-schema.ts';
import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** `always_on`, `always_off` or a share, read as a number from 0 to 1. */
export const samplingRatio: ValueType<number> = {
  read: (value, at) => {
    const ratio = value === 'always_on' ? 1 : value === 'always_off' ? 0 : value;
    if (typeof ratio === 'number' && ratio >= 0 && ratio <= 1) {
      return ratio;
    }
    at.faultOfKind(value, 'always_on, always_off or a number from 0 to 1');
    return invalid;
  },
  schema: orExpansion({
    anyOf: [{ enum: ['always_on', 'always_off'] }, { type: 'number', minimum: 0, maximum: 1 }],
  }),
};
