import { boolean as booleanValue } from '@meridian/values';

import { orExpansion } from './json-schema.ts';
import { scalar } from './value-type.ts';

/** `true` or `false`. */
export const boolean = scalar({ ...booleanValue, schema: orExpansion(booleanValue.schema) });
