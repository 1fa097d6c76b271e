import { flag, key, section } from '../declaration/key.ts';
import {
  boolean,
  duration,
  graphPath,
  listenAddress,
  period,
  positiveInteger,
  wholeNumber,
} from '../declaration/value-types.ts';
import { redisConnection, redisUse } from './redis-connection.ts';

/** Plans that gateways share, and that outlive them. */
const redis = section({
  ...redisConnection(
    'The Redis or Valkey that keeps query plans for all replicas and for later starts. A client that can write there decides what subgraphs are asked',
  ),
  timeout: key(duration, {
    default: '500ms',
    note: 'The longest wait for Redis before the operation is planned without it',
  }),
  ttl: key(period, { default: '30d', note: 'The time that plans stay there' }),
  reset_ttl: key(boolean, { default: true, note: 'Each use of a plan begins that time anew' }),
  ...redisUse('plans'),
});

/** The endpoint of the graph, introspection and query plans. */
export const supergraph = section({
  listen: key(listenAddress, {
    default: '127.0.0.1:4000',
    note: 'The address to listen on, or the path of a Unix socket, where tls.supergraph holds too; HOST and PORT take precedence',
    formerly: ['server.listen'],
  }),
  path: key(graphPath, {
    note: 'The path of the graph endpoint. Default: both / and /graphql',
    formerly: ['server.endpoint'],
  }),
  introspection: key(boolean, {
    default: false,
    note: 'Allows introspection; in production the start warns of it, unless meridian.public_schema is set',
    formerly: ['server.introspection'],
  }),
  defer_support: key(boolean, {
    default: true,
    note: 'Runs `@defer`: fragments that are sent in later parts of the response. false takes the directive out of the schema',
    formerly: ['preview_defer_support', 'server.experimental_defer_support'],
  }),
  redact_query_validation_errors: flag(
    'The response to an invalid operation is `invalid query`, UNKNOWN_ERROR, and nothing else',
  ),
  connection_shutdown_timeout: key(duration, {
    default: '10s',
    note: 'The longest time for requests under way when the process stops; SHUTDOWN_GRACE_MS takes precedence. Apollo Router has 60 s',
  }),
  query_planning: section({
    cache: key(
      section({
        in_memory: section({
          limit: key(positiveInteger, {
            default: 512,
            note: 'The most compiled operations in memory, of 128 KiB each on average',
          }),
        }),
        redis: key(redis, { paid: true }),
      }),
      { default: {}, formerly: ['experimental_cache'] },
    ),
    warmed_up_queries: key(wholeNumber({ minimum: 0 }), {
      note: 'The number of recently used operations that are planned before a new supergraph takes over. Default: a third of cache.in_memory.limit',
    }),
  }),
});
