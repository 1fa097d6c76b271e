import { boolean } from '../kinds/boolean.ts';
import { defaulting, optional } from '../kinds/key.ts';
import { section } from '../kinds/section.ts';
import { wholeNumber } from '../kinds/whole-number.ts';

const inMemoryCache = section({ limit: defaulting(wholeNumber({ minimum: 1 }), 512) });

/** Automatic persisted queries: operations that clients register themselves. */
export const apq = section({
  /** Absent: on, unless a safelist is, which excludes it. */
  enabled: optional(boolean),
  router: defaulting(
    section({ cache: defaulting(section({ in_memory: defaulting(inMemoryCache, {}) }), {}) }),
    {},
  ),
});
