import { boolean } from '../declaration/boolean.ts';
import { duration } from '../declaration/duration.ts';
import { defaulting, optional } from '../declaration/key.ts';
import { mapOf } from '../declaration/map-of.ts';
import { oneOf } from '../declaration/one-of.ts';
import { section } from '../declaration/section.ts';
import { wholeNumber } from '../declaration/whole-number.ts';
import { rateLimit } from './rate-limit.ts';

/** `enable`: where a subgraph offers it over TLS. `http2only`: always, also without TLS. */
const http2 = oneOf('enable', 'disable', 'http2only');

/** Timeouts and rate limits. */
export const trafficShaping = section({
  /** Accepted without effect: always on here, as in Apollo Router. */
  deduplicate_variables: optional(boolean),
  router: defaulting(
    section({
      /** The time for a whole request. */
      timeout: defaulting(duration, '30s'),
      /** The most requests in an interval; the most cost where `meridian.throttle.unit` is `cost`. */
      global_rate_limit: optional(rateLimit),
      /** The maximum of requests under way; further ones are rejected with 503. */
      concurrency_limit: optional(wholeNumber({ minimum: 1 })),
    }),
    {},
  ),
  all: defaulting(
    section({
      /** The time for one request to a subgraph: connecting, headers and body together. */
      timeout: defaulting(duration, '30s'),
      /** True when equal queries in flight share one request. Default: true, unlike Apollo Router. */
      deduplicate_query: defaulting(boolean, true),
      /** True when HTTP/2 is used with subgraphs that offer it over TLS. */
      experimental_http2: defaulting(http2, 'enable'),
    }),
    {},
  ),
  subgraphs: defaulting(
    mapOf(
      section({
        timeout: optional(duration),
        deduplicate_query: optional(boolean),
        experimental_http2: optional(http2),
      }),
    ),
    {},
  ),
});
