import { mapOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { boolean, duration, listenAddress, period, text, urlPath } from '../declaration/value-types.ts';
import { redisConnection, redisUse } from './redis-connection.ts';

const redis = section({
  ...redisConnection(
    'The Redis or Valkey that keeps responses for all replicas; without this section, REDIS_URL names it. A client that can write there decides what callers get',
  ),
  fetch_timeout: key(duration, {
    default: '150ms',
    note: 'The longest wait for a look-up, before the subgraph is asked',
    formerly: ['timeout'],
  }),
  insert_timeout: key(duration, {
    default: '500ms',
    note: 'The longest time to keep a response. No request waits for it',
  }),
  invalidate_timeout: key(duration, {
    default: '1s',
    note: 'The longest time for one step of an invalidation, which fails then',
  }),
  ttl: key(period, {
    note: 'The same as `ttl` of the subgraph, which takes precedence. A key of Apollo Router 2’s entity cache',
  }),
  ...redisUse('response-cache'),
});

const invalidation = section({
  enabled: key(boolean, { note: 'Lets its responses be invalidated. Default: false' }),
  shared_key: key(text, {
    note: 'The secret that a request for an invalidation has in its field Authorization, as it is',
  }),
});

/** The keys for one subgraph, or for all. */
const ofSubgraph = {
  ttl: key(period, {
    note: 'The time that a response is kept whose Cache-Control names none. A response without Cache-Control is never kept',
  }),
  private_id: key(text, {
    note: 'What tells apart the callers to whom private responses belong: a key of the request’s context, which a hook or a coprocessor sets; meridian::subject; or `meridian::claim::NAME`. Default: private responses are not kept',
  }),
  redis: key(redis, { note: 'The Redis of its responses' }),
  invalidation,
};

/** The cache of subgraphs' responses. Apollo Router 2.17's names. */
export const responseCache = section({
  enabled: flag('Keeps responses of subgraphs: docs/response-caching.md'),
  subgraph: section({
    all: section({
      enabled: key(boolean, { default: true, note: 'For each subgraph that does not say otherwise' }),
      ...ofSubgraph,
      redis: key(redis, {
        note: 'The Redis of their responses',
        formerly: ['preview_entity_cache.redis'],
      }),
    }),
    subgraphs: mapOf(
      section({
        enabled: key(boolean, { note: 'The same for this subgraph' }),
        ...ofSubgraph,
      }),
    ),
  }),
  invalidation: key(
    section({
      listen: key(listenAddress, {
        required: true,
        note: 'The address for invalidations: the one of supergraph.listen, or one of its own. Only the operator’s network should reach it. A change takes effect after a restart',
      }),
      path: key(urlPath, { required: true, note: 'The path of invalidations, such as /invalidation' }),
    }),
    { note: 'An endpoint for requests to invalidate responses. Default: none' },
  ),
});
