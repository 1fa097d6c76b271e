import { boolean } from '../value-types/boolean.ts';
import { defaulting, optional } from '../value-types/key.ts';
import { section } from '../value-types/section.ts';
import { socketAddress } from '../value-types/socket-address.ts';
import { text } from '../value-types/text.ts';
import { wholeNumber } from '../value-types/whole-number.ts';

const inMemoryCache = section({ limit: defaulting(wholeNumber({ minimum: 1 }), 512) });
const cache = section({ in_memory: defaulting(inMemoryCache, {}) });

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
