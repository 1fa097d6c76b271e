import type { ValueOf } from '../declaration/key-type.ts';
import { mapOf } from '../declaration/key-type.ts';
import type { Declaration } from '../declaration/key.ts';
import { flag, key, section } from '../declaration/key.ts';
import { amount, boolean, duration, oneOf, positiveInteger } from '../declaration/value-types.ts';

const http2 = oneOf('enable', 'disable', 'http2only');

const encoding = oneOf('gzip', 'deflate', 'br', 'identity');

const otherNamesOfHttp2 = {
  formerly: [['experimental_enable_http2', enableOrDisable]],
  since: { '3.0': 'http2' },
} as const satisfies Declaration;

function enableOrDisable(value: unknown): unknown {
  return typeof value === 'boolean' ? (value ? 'enable' : 'disable') : value;
}

/** A capacity for each interval. */
export const rateLimit = (noteOnCapacity: string, note?: string) =>
  key(
    section({
      capacity: key(positiveInteger, { required: true, note: noteOnCapacity }),
      interval: key(duration, { required: true, note: 'The interval' }),
    }),
    note === undefined ? {} : { note },
  );

/** Retries of the requests to one subgraph: the keys and defaults of Apollo Router 1. */
const retry = section({
  min_per_sec: key(amount, {
    default: 10,
    note: 'So many retries in a second are allowed however few requests there are',
  }),
  retry_percent: key(amount, {
    default: 0.2,
    note: 'In addition, retries are allowed for this part of the requests: 0.2 is one for five',
  }),
  ttl: key(duration, { default: '10s', note: 'The time over which requests and retries are counted' }),
  retry_mutations: flag('Sends mutations again too, which may then happen twice'),
});

/** The rules for retries. */
export type RetryRules = ValueOf<typeof retry>;

/** Timeouts and rate limits. */
export const trafficShaping = section({
  deduplicate_variables: key(boolean, {
    note: 'Always on, as in Apollo Router: equal representations are fetched once',
    noEffect: 'always',
  }),
  router: section({
    timeout: key(duration, { default: '30s', note: 'The time for a whole request' }),
    global_rate_limit: rateLimit(
      'The most requests in an interval, or the most cost if meridian.throttle.unit is cost',
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
    global_rate_limit: rateLimit(
      'The most requests that each subgraph gets in an interval; a deduplicated one counts once',
      'Each replica counts for itself, as in Apollo Router. A further request fails at once with REQUEST_RATE_LIMITED',
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
      global_rate_limit: rateLimit('The most requests that this subgraph gets in an interval'),
      compression: key(encoding, { note: 'The same for this subgraph' }),
      experimental_http2: key(http2, { note: 'The same for this subgraph', ...otherNamesOfHttp2 }),
    }),
  ),
});
