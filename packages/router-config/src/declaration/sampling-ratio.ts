import { ratio } from '@meridian/values';

import { orExpansion } from './json-schema.ts';
import { scalar } from './value-type.ts';

/** `always_on`, `always_off` or a share, read as a number from 0 to 1. */
export const samplingRatio = scalar({
  takes: 'always_on, always_off or a number from 0 to 1',
  read: (value) => (value === 'always_on' ? 1 : value === 'always_off' ? 0 : ratio.read(value)),
  schema: orExpansion({ anyOf: [{ enum: ['always_on', 'always_off'] }, ratio.schema] }),
});
