import { key, section } from '../declaration/key.ts';
import { boolean, duration, positiveInteger, text } from '../declaration/value-types.ts';
import { redisUrls } from './redis-urls.ts';

/** Automatic persisted queries: operations that clients register themselves. */
export const apq = section({
  enabled: key(boolean, {
    note: 'Lets clients store operations under their hash (APQ). Default: on, unless a safelist is on, which excludes it',
  }),
  router: section({
    cache: section({
      in_memory: section({
        limit: key(positiveInteger, {
          default: 512,
          note: 'The number of automatic persisted queries in memory',
        }),
      }),
      redis: key(
        section({
          urls: key(redisUrls, {
            required: true,
            note: 'The Redis or Valkey in which replicas share automatic persisted queries; without this section, REDIS_URL names it',
          }),
          ttl: key(duration, { default: '24h', note: 'The time that operations stay there' }),
          timeout: key(duration, {
            default: '500ms',
            note: 'The longest wait for Redis before a request continues without it',
          }),
          namespace: key(text, { default: 'apq', note: 'The prefix of their keys in Redis' }),
        }),
        { paid: true },
      ),
    }),
  }),
});
