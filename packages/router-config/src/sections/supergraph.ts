import { boolean } from '../declaration/boolean.ts';
import { checked } from '../declaration/checked.ts';
import { duration, period } from '../declaration/duration.ts';
import { defaulting, optional, required } from '../declaration/key.ts';
import { listOf } from '../declaration/list-of.ts';
import { section } from '../declaration/section.ts';
import { socketAddress } from '../declaration/socket-address.ts';
import { text } from '../declaration/text.ts';
import { url } from '../declaration/url.ts';
import { wholeNumber } from '../declaration/whole-number.ts';

const inMemoryCache = section({ limit: defaulting(wholeNumber({ minimum: 1 }), 512) });

/** Plans that gateways share, and that outlive them. */
const redisCache = checked(
  section({
    urls: required(listOf(url(['redis', 'rediss']))),
    /** Takes precedence over the one in the URL. */
    username: optional(text()),
    /** Takes precedence over the one in the URL. */
    password: optional(text()),
    /** The longest time for a response. */
    timeout: defaulting(duration, '500ms'),
    /** The time that a plan is kept. */
    ttl: defaulting(period, '30d'),
    /** A use begins the time anew. */
    reset_ttl: defaulting(boolean, true),
    /** Gateways of one namespace share their plans. */
    namespace: defaulting(text(), 'plans'),
    /** True when a gateway does not start without this Redis. */
    required_to_start: defaulting(boolean, false),
  }),
  ({ urls }) => (urls.length === 1 ? undefined : 'takes exactly one of urls: clusters are not supported'),
);
const cache = section({ in_memory: defaulting(inMemoryCache, {}), redis: optional(redisCache) });

/** The endpoint of the graph, and introspection. */
export const supergraph = section({
  /** The address to listen on; `PORT` and `HOST` take precedence. */
  listen: defaulting(socketAddress, '127.0.0.1:4000'),
  /** The path of the graph endpoint. Router's default is `/`. Default here: both `/` and `/graphql`. */
  path: optional(
    text({
      pattern: /^\/[^*{}?#]*$/,
      takes: 'a path that starts with /, without parameters',
      example: '/graphql',
    }),
  ),
  /**
   * True when introspection is allowed. In production the start logs a warning, unless `meridian.public_schema` is set.
   */
  introspection: defaulting(boolean, false),
  query_planning: defaulting(
    section({
      /** The number of compiled operations that are kept, with 128 KiB for each on average. */
      cache: defaulting(cache, {}),
      /**
       * The number of recently used operations that are planned before a new supergraph takes over. Default:
       * a third of the cache.
       */
      warmed_up_queries: optional(wholeNumber({ minimum: 0 })),
    }),
    {},
  ),
});
