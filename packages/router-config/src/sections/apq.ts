import { boolean } from '../declaration/boolean.ts';
import { checked } from '../declaration/checked.ts';
import { duration } from '../declaration/duration.ts';
import { defaulting, optional, required } from '../declaration/key.ts';
import { listOf } from '../declaration/list-of.ts';
import { section } from '../declaration/section.ts';
import { text } from '../declaration/text.ts';
import { url } from '../declaration/url.ts';
import { wholeNumber } from '../declaration/whole-number.ts';

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
