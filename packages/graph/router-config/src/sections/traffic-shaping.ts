import { mapOf } from '../declaration/key-type.ts';
import type { Declaration } from '../declaration/key.ts';
import { key, section } from '../declaration/key.ts';
import { boolean, duration, oneOf, positiveInteger } from '../declaration/value-types.ts';
import { rateLimit } from './rate-limit.ts';
import { retry } from './retry.ts';

const http2 = oneOf('enable', 'disable', 'http2only');

const encoding = oneOf('gzip', 'deflate', 'br', 'identity');

const otherNamesOfHttp2 = {
  formerly: [['experimental_enable_http2', enableOrDisable]],
  since: { '3.0': 'http2' },
} as const satisfies Declaration;

function enableOrDisable(value: unknown): unknown {
  return typeof value === 'boolean' ? (value ? 'enable' : 'disable') : value;
}

/** Timeouts and rate limits. */
export const trafficShaping = section({
  deduplicate_variables: key(boolean, {
    note: 'Always on, as in Apollo Router: equal representations are fetched once',
    noEffect: 'always',
  }),
  router: section({
    timeout: key(duration, { default: '30s', note: 'The time for a whole request' }),
    global_rate_limit: key(
      rateLimit('The most requests in an interval, or the most cost if meridian.throttle.unit is cost'),
      {},
    ),
    concurrency_limit: key(positiveInteger, {
      note: 'The most requests under way; further ones get 503',
    }),
  }),
  all: section({
    timeout: key(duration, {
      default: '30s',
      note: 'The time for one request to a subgraph: connecting, head and body together',
    }),
    deduplicate_query: key(boolean, {
      default: true,
      note: 'Sends one subrequest for equal ones that are in flight',
    }),
    experimental_retry: key(retry, {
      note: 'Sends a request again, one time and at once, if the subgraph could not be reached, or responded with 500, 502, 503 or 504: within a budget, so that a subgraph that fails gets little more. Never after a timeout. The section alone, as `{}`, is enough. A key of Apollo Router 1, which Router 2 removed. Default: only a query whose kept connection was closed is sent again',
    }),
    global_rate_limit: key(
      rateLimit('The most requests that each subgraph gets in an interval; a deduplicated one counts once'),
      {
        note: 'Each replica counts for itself, as in Apollo Router. A further request fails at once with REQUEST_RATE_LIMITED',
      },
    ),
    compression: key(encoding, {
      note: 'The encoding of queries and mutations that subgraphs get; identity is none. deflate has zlib’s frame, as RFC 9110 asks; Apollo Router leaves that out',
    }),
    experimental_http2: key(http2, {
      default: 'enable',
      note: 'enable uses HTTP/2 with subgraphs that offer it over TLS; http2only uses nothing else, also without TLS',
      ...otherNamesOfHttp2,
    }),
  }),
  subgraphs: mapOf(
    section({
      timeout: key(duration, { note: 'The same for this subgraph' }),
      deduplicate_query: key(boolean, { note: 'The same for this subgraph' }),
      experimental_retry: key(retry, { note: 'The same for this subgraph, with a budget of its own' }),
      global_rate_limit: key(rateLimit('The most requests that this subgraph gets in an interval'), {}),
      compression: key(encoding, { note: 'The same for this subgraph' }),
      experimental_http2: key(http2, { note: 'The same for this subgraph', ...otherNamesOfHttp2 }),
    }),
  ),
});
