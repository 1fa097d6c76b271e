import { mapOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { boolean, duration, positiveInteger } from '../declaration/value-types.ts';
import { redisConnection, redisUse } from './redis-connection.ts';

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
          ...redisConnection(
            'The Redis or Valkey in which replicas share automatic persisted queries; without this section, REDIS_URL names it',
          ),
          ttl: key(duration, { default: '24h', note: 'The time that operations stay there' }),
          timeout: key(duration, {
            default: '500ms',
            note: 'The longest wait for Redis before a request continues without it',
          }),
          reset_ttl: key(boolean, { default: true, note: 'Each use of an operation begins that time anew' }),
          ...redisUse('apq'),
        }),
        { paid: true },
      ),
    }),
  }),
  subgraph: section({
    all: section({
      enabled: flag('Sends subgraphs the hash of an operation, and its text to one that does not know it'),
    }),
    subgraphs: mapOf(
      section({ enabled: key(boolean, { required: true, note: 'The same for this subgraph' }) }),
    ),
  }),
});
