import { boolean } from '../kinds/boolean.ts';
import { defaulting, optional } from '../kinds/key.ts';
import { section } from '../kinds/section.ts';
import { socketAddress } from '../kinds/socket-address.ts';
import { text } from '../kinds/text.ts';
import { wholeNumber } from '../kinds/whole-number.ts';

const inMemoryCache = section({ limit: defaulting(wholeNumber({ minimum: 1 }), 512) });
const cache = section({ in_memory: defaulting(inMemoryCache, {}) });

/** Where the graph is served, and what of it may be asked. */
export const supergraph = section({
  /** Where to listen; `PORT` and `HOST` win. */
  listen: defaulting(socketAddress, '127.0.0.1:4000'),
  /** The path of the graph endpoint. Router's default is `/`; where it is absent, `/graphql` answers as well. */
  path: optional(
    text({
      pattern: /^\/[^*{}?#]*$/,
      takes: 'a path that starts with /, without parameters',
      example: '/graphql',
    }),
  ),
  /** Whether the schema may be asked for. In production the start warns of it, unless `meridian.public_schema` is set. */
  introspection: defaulting(boolean, false),
  query_planning: defaulting(
    section({
      /** How many compiled operations are kept, within 128 KiB for each on the average. */
      cache: defaulting(cache, {}),
      /** How many of those that were used last are planned before a new supergraph takes over. Absent: a third of the cache. */
      warmed_up_queries: optional(wholeNumber({ minimum: 0 })),
    }),
    {},
  ),
});
