import { boolean } from '../kinds/boolean.ts';
import { checked } from '../kinds/checked.ts';
import { duration } from '../kinds/duration.ts';
import { defaulting, optional, required } from '../kinds/key.ts';
import { listOf } from '../kinds/list-of.ts';
import { section } from '../kinds/section.ts';
import { text } from '../kinds/text.ts';
import { url } from '../kinds/url.ts';
import { wholeNumber } from '../kinds/whole-number.ts';

const inMemoryCache = section({ limit: defaulting(wholeNumber({ minimum: 1 }), 512) });

const redisUrl = url(['redis', 'rediss']);

/** Beside the memory of each gateway. Absent: the Redis of `REDIS_URL`, where that is set. */
const redisCache = checked(
  section({
    urls: required(listOf(redisUrl)),
    /** How long an operation is kept that nobody has sent. */
    ttl: defaulting(duration, '24h'),
    /** How long an answer may take. */
    timeout: defaulting(duration, '500ms'),
    /** Gateways of one namespace share their operations. */
    namespace: defaulting(text(), 'apq'),
  }),
  ({ urls }) => (urls.length === 1 ? undefined : 'takes exactly one of urls: clusters are not supported'),
);

/** Automatic persisted queries: operations that clients register themselves. */
export const apq = section({
  /** Absent: on, unless a safelist is, which excludes it. */
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
