import { orExpansion } from '../json-schema.ts';
import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

export interface WholeNumberBounds {
  readonly minimum: number;
  readonly maximum?: number;
}

/** A whole number within its bounds. */
export function wholeNumber({ minimum, maximum }: WholeNumberBounds): ValueType<number> {
  const takes = `a whole number from ${minimum} ${maximum === undefined ? 'up' : `to ${maximum}`}`;
  return {
    read: (value, at) => {
      const isTaken =
        typeof value === 'number' &&
        Number.isSafeInteger(value) &&
        value >= minimum &&
        value <= (maximum ?? Number.POSITIVE_INFINITY);
      if (isTaken) {
        return value;
      }
      at.faultOfKind(value, takes);
      return invalid;
    },
    schema: orExpansion({ type: 'integer', minimum, ...(maximum !== undefined && { maximum }) }),
  };
}
