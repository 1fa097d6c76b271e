import { integer } from '@meridian/values';
import type { Bounds } from '@meridian/values';

import { orExpansion } from './json-schema.ts';
import { scalar } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/** A whole number within its bounds. */
export function wholeNumber(bounds: Bounds): ValueType<number> {
  const type = integer(bounds);
  return scalar({ ...type, schema: orExpansion(type.schema) });
}
