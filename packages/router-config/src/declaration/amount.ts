import { orExpansion } from './json-schema.ts';
import { scalar } from './value-type.ts';

/** A number that is not negative, fractions included. */
export const amount = scalar({
  takes: 'a number from 0 up',
  read: (value) => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined),
  schema: orExpansion({ type: 'number', minimum: 0 }),
});
