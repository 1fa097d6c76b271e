import { orExpansion } from './json-schema.ts';
import { scalar } from './value-type.ts';

/** A part of a whole: above 0, at most 1. */
export const share = scalar({
  takes: 'a part of 1, such as 0.5',
  read: (value) => (typeof value === 'number' && value > 0 && value <= 1 ? value : undefined),
  schema: orExpansion({ type: 'number', minimum: 0 }),
});
