import { boolean } from '../value-types/boolean.ts';
import { checked } from '../value-types/checked.ts';
import { duration } from '../value-types/duration.ts';
import { defaulting, optional, required } from '../value-types/key.ts';
import { listOf } from '../value-types/list-of.ts';
import { section } from '../value-types/section.ts';
import { text } from '../value-types/text.ts';
import { url } from '../value-types/url.ts';
import { wholeNumber } from '../value-types/whole-number.ts';

const inMemoryCache = section({ limit: defaulting(wholeNumber({ minimum: 1 }), 512) });

const redisUrl = url(['redis', 'rediss']);

/** In addition to the memory of each gateway. Default: the Redis of `REDIS_URL`, if that is set. */
const redisCache = checked(
  section({
    urls: required(listOf(redisUrl)),
    /** The time that an unused operation is kept. */
    ttl: defaulting(duration, '24h'),
    /** The longest time for a response. */
    timeout: defaulting(duration, '500ms'),
    /** Gateways of one namespace share their operations. */
    namespace: defaulting(text(), 'apq'),
  }),
  ({ urls }) => (urls.length === 1 ? undefined : 'takes exactly one of urls: clusters are not supported'),
);

/** Automatic persisted queries: operations that clients register themselves. */
export const apq = section({
  /** Default: on, unless a safelist is on, which excludes it. */
  enabled: optional(boolean),
  router: defaulting(
    section({
      cache: defaulting(
        section({ in_memory: defaulting(inMemoryCache, {}), redis: optional(redisCache) }),
        {},
      ),
    }),
    {},
  ),
});
