import { boolean } from '../declaration/boolean.ts';
import { byteSize } from '../declaration/byte-size.ts';
import { duration } from '../declaration/duration.ts';
import { defaulting, optional, required } from '../declaration/key.ts';
import { listOf } from '../declaration/list-of.ts';
import { mapOf } from '../declaration/map-of.ts';
import { oneOf } from '../declaration/one-of.ts';
import { section } from '../declaration/section.ts';
import { share } from '../declaration/share.ts';
import { text } from '../declaration/text.ts';
import { wholeNumber } from '../declaration/whole-number.ts';
import { rateLimit } from './rate-limit.ts';

const hostName = text({ pattern: /^[^\s/:@]+$|^\[[0-9a-f:]+\]$/i, takes: 'a host name, without a port' });

/** Keys that Apollo Router does not have. */
export const meridian = section({
  /** The executor: `packages/executor`, the same without its fast path (`reference`), or stock `@apollo/gateway`. */
  executor: defaulting(oneOf('compiled', 'reference', 'apollo'), 'compiled'),
  /** `warn`: keys that only Apollo Router has are ignored, unless they protect something. For a trial. */
  unsupported_keys: defaulting(oneOf('error', 'warn'), 'error'),
  /** True when equal queries of one caller in flight share one run. */
  deduplicate_requests: optional(boolean),
  /** Spec: Graph endpoint, "Operation name". */
  operations: defaulting(section({ require_name: defaulting(boolean, true) }), {}),
  /** `reject`: a supergraph over which an operation of the manifest is no longer valid is not taken. */
  breaking_supergraph: defaulting(oneOf('warn', 'reject'), 'warn'),
  /**
   * Declares the schema public, so that the start does not warn of `supergraph.introspection` in production.
   */
  public_schema: defaulting(boolean, false),
  limits: defaulting(
    section({
      /** The depth of an operation that selects only the schema; the usual introspection query has 15. */
      introspection_max_depth: defaulting(wholeNumber({ minimum: 1 }), 20),
      /** Characters of one document, checked before anything else reads it. */
      max_document_length: defaulting(wholeNumber({ minimum: 1000 }), 250_000),
      /** Operations of one document. */
      max_operations: defaulting(wholeNumber({ minimum: 1 }), 50),
      /** Fragments of one document. */
      max_fragments: defaulting(wholeNumber({ minimum: 0 }), 500),
      /** Selections of one selection set, without repeated leaves. */
      max_selections: defaulting(wholeNumber({ minimum: 1 }), 500),
      /** The deepest nesting of arrays and objects in the JSON of a request. */
      json_max_depth: defaulting(wholeNumber({ minimum: 10, maximum: 1000 }), 500),
      /** Values in the JSON of a request: members of objects and items of arrays. */
      json_max_values: defaulting(wholeNumber({ minimum: 100 }), 25_000),
      /** Bounds on the JSON of a subgraph's response, counted before it is parsed. Most responses are not parsed. */
      subgraph: defaulting(
        section({
          json_max_depth: defaulting(wholeNumber({ minimum: 10, maximum: 1000 }), 500),
          json_max_values: defaulting(wholeNumber({ minimum: 100 }), 2_000_000),
          /** Different names of members. */
          json_max_names: defaulting(wholeNumber({ minimum: 100 }), 100_000),
        }),
        {},
      ),
    }),
    {},
  ),
  /** Responses to queries are compressed in zstd, br or gzip, as the client accepts. */
  compression: defaulting(
    section({
      enabled: defaulting(boolean, true),
      /** A shorter response is not compressed. */
      min_size: defaulting(byteSize, '2KiB'),
    }),
    {},
  ),
  authentication: defaulting(
    section({
      /** The claim that names a caller's tenant, and that a token then needs. Default: each issuer is one tenant. */
      tenant_claim: optional(text()),
      /** The claims that a token needs, besides `exp`, and `iss` and `aud` where these are compared. */
      required_claims: defaulting(listOf(text()), []),
      /** The tenants that an issuer may name, by issuer. An issuer that is not listed may name any. */
      tenants: defaulting(mapOf(listOf(text())), {}),
      /**
       * The hosts whose JWKS may be fetched over `http://`. An attacker who can change that traffic can sign tokens.
       */
      plain_http_hosts: defaulting(listOf(hostName), []),
    }),
    {},
  ),
  authorization: defaulting(
    section({
      /** The claim of a token that lists its caller's policies, for `@policy`. Default: `policies`. */
      policies_claim: optional(text()),
    }),
    {},
  ),
  /** Query plans in a directory, which all gateways of a machine may share, and which outlives them. */
  plan_cache: optional(
    section({
      /** The directory, relative to the working directory. */
      path: required(text()),
      /** The most bytes on disk; plans that were not used for the longest time go first. */
      max_bytes: defaulting(byteSize, '64MiB'),
    }),
  ),
  throttle: defaulting(
    section({
      /** The unit of rate limits: requests, as in Apollo Router, or the cost of their operations. */
      unit: defaulting(oneOf('cost', 'request'), 'request'),
      /** The limit of one tenant. */
      tenant: optional(rateLimit),
      /** The part of each limit that a gateway grants while the Redis of `REDIS_URL` does not respond. */
      local_share: defaulting(share, 0.5),
    }),
    {},
  ),
  /** Explanations of recent requests, for operators: `pnpm explain <trace id>`, over the admin listener. */
  explain: defaulting(
    section({
      /** Default: on in development if there is a secret. */
      enabled: optional(boolean),
      /** The secret that a request for explanations must carry. */
      secret: optional(text({ pattern: /./s, takes: 'a text', example: 'at-least-20-characters' })),
      /** The memory for recent requests; the oldest are dropped first. */
      max_bytes: defaulting(byteSize, '16MiB'),
    }),
    {},
  ),
  /** The use of fields, by operation, client and day: in PostgreSQL if `DATABASE_URL` is set, and in the metrics. */
  usage: defaulting(
    section({
      enabled: defaulting(boolean, true),
      /** The interval between writes of counts. A killed gateway loses at most this much. */
      flush_interval: defaulting(duration, '10s'),
      /** The maximum of counts, each of an operation and a client, while the database is away. */
      max_counts: defaulting(wholeNumber({ minimum: 1 }), 10_000),
      /** The retention of usage. */
      retention_days: defaulting(wholeNumber({ minimum: 1 }), 90),
    }),
    {},
  ),
  cost: defaulting(
    section({
      /** The actual cost is measured for the first response of each operation, then for one in this many. */
      measure_every: defaulting(wholeNumber({ minimum: 1 }), 64),
    }),
    {},
  ),
  /** Load shedding with 503, in addition to `traffic_shaping.router.concurrency_limit`. */
  overload: defaulting(
    section({
      /** The longest delay of the event loop, as the median of half a second. */
      max_event_loop_delay: defaulting(duration, '1s'),
      /** The most bytes of request bodies under way. Once they are used up, each tenant keeps an equal share. */
      max_body_bytes: defaulting(byteSize, '64MiB'),
    }),
    {},
  ),
  errors: defaulting(
    section({
      /** The `extensions.code` values of subgraphs that clients may see; any other becomes INTERNAL_SERVER_ERROR. */
      allowed_codes: defaulting(listOf(text()), [
        'BAD_USER_INPUT',
        'CONFLICT',
        'FORBIDDEN',
        'NOT_FOUND',
        'UNAUTHENTICATED',
      ]),
    }),
    {},
  ),
});
