import { mapOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { boolean, duration, positiveInteger, text } from '../declaration/value-types.ts';
import { redisTls, redisUrls } from './redis-connection.ts';

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
          username: key(text, { note: 'The user; takes precedence over the one in the URL' }),
          password: key(text, { note: 'The password; takes precedence over the one in the URL' }),
          tls: redisTls,
          ttl: key(duration, { default: '24h', note: 'The time that operations stay there' }),
          timeout: key(duration, {
            default: '500ms',
            note: 'The longest wait for Redis before a request continues without it',
          }),
          reset_ttl: key(boolean, { default: true, note: 'Each use of an operation begins that time anew' }),
          namespace: key(text, { default: 'apq', note: 'The prefix of their keys in Redis' }),
          required_to_start: key(boolean, {
            default: false,
            note: 'The gateway does not start without this Redis. Later it always continues without',
          }),
        }),
        { paid: true },
      ),
    }),
  }),
  subgraph: section({
    all: section({
      enabled: key(boolean, {
        default: false,
        note: 'Sends subgraphs the hash of an operation, and its text to one that does not know it',
      }),
    }),
    subgraphs: mapOf(
      section({ enabled: key(boolean, { required: true, note: 'The same for this subgraph' }) }),
    ),
  }),
});
