import { listOf, mapOf, oneOrListOf } from '../declaration/key-type.ts';
import { flag, key, optionalSection, section } from '../declaration/key.ts';
import {
  amount,
  boolean,
  byteSize,
  duration,
  oneOf,
  positiveInteger,
  share,
  text,
  textLike,
  wholeNumber,
} from '../declaration/value-types.ts';
import { graphs, hostName } from './graphs.ts';
import { mcp } from './mcp.ts';
import { overrideLabels } from './override-labels.ts';
import { responseHeaders } from './response-headers.ts';
import { meridianSubscription, namesWithoutAuthority } from './subscription.ts';
import { rateLimit } from './traffic-shaping.ts';

const anyText = textLike({ pattern: /./s, takes: 'a text', example: 'at-least-20-characters' });
const audiences = (fallback: string) =>
  key(listOf(text), {
    note: `The accepted audiences: a token needs one of them. Default: JWT_AUDIENCE${fallback}`,
  });

/** Keys that Apollo Router does not have. */
export const meridian = section({
  executor: key(oneOf('fast_path', 'slow_path', 'apollo'), {
    default: 'fast_path',
    note: 'The executor: `fast_path`; `slow_path`, the same without its fast path, to rule out its faults; or `apollo`, stock @apollo/gateway',
  }),
  unsupported_keys: key(oneOf('error', 'warn'), {
    default: 'error',
    note: 'warn ignores keys that only Apollo Router has, for a trial with your own file. Keys that limit callers or protect what is sent still stop the start; in production, so do plugins and rhai',
  }),
  deduplicate_requests: key(boolean, {
    note: 'Runs one query for equal ones of one caller that are in flight. Equal means equal in everything that authorization depends on. Default: `true`, unless a `deduplicate_query` is `false`',
  }),
  merge_fetches: section({
    all: flag(
      'Sends the entity fetches that a round has for one subgraph as one request, each as an aliased `_entities`: fewer requests, but each fetch waits for the slowest. Where an error in the response could be any fetch’s, each is sent again, alone',
    ),
    subgraphs: key(mapOf(boolean), { default: {}, note: 'By subgraph' }),
  }),
  response_cache: section({
    ignored_headers: key(namesWithoutAuthority('callers with different rights would get one response'), {
      default: [],
      note: 'Header fields that subgraphs get, and on which their responses do not depend, such as the number of a request. Requests that differ in any other share no response of response_cache',
    }),
  }),
  hooks: key(oneOrListOf(text), {
    default: [],
    note: 'Modules with code at the stages of requests: [hooks](hooks.md). A path is relative to the folder of router.yaml, or it is the name of a package. Loaded anew with the configuration, and when one of their files changes',
  }),
  hook_timeout: key(duration, {
    default: '1s',
    note: 'The longest time for which a hook may wait; a request whose hook takes longer gets 504',
  }),
  operations: section({
    require_name: key(boolean, { default: true, note: 'Rejects operations without a name' }),
  }),
  breaking_supergraph: key(oneOf('warn', 'reject'), {
    default: 'warn',
    note: 'What happens to a supergraph over which an operation of the manifest is no longer valid. `warn`: it is taken, with a log line for each operation, and `meridian_manifest_unrunnable_operations` counts them. `reject`: the previous supergraph stays, or the start fails. Only an operation that was valid before counts at a reload, so that a manifest may be published before its supergraph',
  }),
  graphs: key(graphs, {
    default: {},
    note: 'The graphs of this process by name, each with its own configuration: docs/many-graphs.md. Read at the start. Default: one graph',
  }),
  override_labels: key(overrideLabels, {
    default: {},
    note: 'The labels of `@override(from:, label:)` that the file decides: `true` sets one for each request, `false` for none, a condition in the notation of telemetry’s for the requests where it is true, and `claim: { name, values }` for callers with such a token. A `percent(N)` that is named here is no longer drawn. Others are set by hooks and coprocessors: docs/subgraphs.md',
  }),
  public_schema: flag(
    'Says that the schema is public, so that the start does not warn of supergraph.introspection in production',
  ),
  limits: section({
    introspection_max_depth: key(positiveInteger, {
      default: 20,
      note: 'The deepest operation that selects only the schema; the usual introspection query has 15',
    }),
    max_subgraph_fetches: key(positiveInteger, {
      note: 'The most fetches in the plan of an operation, as `meridian-gateway plan` counts them: fetches of entities, of deferred fragments and of each event included. Over it, the operation is rejected before anything is sent',
    }),
    max_document_length: key(wholeNumber({ minimum: 1000 }), {
      default: 250_000,
      note: 'The most characters of a document, checked before its tokens',
    }),
    max_operations: key(positiveInteger, {
      default: 50,
      note: 'The most operations of a document; only the one to run is processed',
    }),
    max_fragments: key(wholeNumber({ minimum: 0 }), {
      default: 500,
      note: 'The most fragments of a document',
    }),
    max_selections: key(positiveInteger, {
      default: 500,
      note: 'The most selections of a selection set, without repeated leaves',
    }),
    json_max_depth: key(wholeNumber({ minimum: 10, maximum: 1000 }), {
      default: 500,
      note: 'The deepest nesting of arrays and objects in the JSON of a request',
    }),
    json_max_values: key(wholeNumber({ minimum: 100 }), {
      default: 25_000,
      note: 'The most values in the JSON of a request: members of objects and items of arrays, counted before parsing',
    }),
    subgraph: section({
      json_max_depth: key(wholeNumber({ minimum: 10, maximum: 1000 }), {
        default: 500,
        note: "The deepest nesting in the JSON of a subgraph's response. These three are counted before a response is parsed: one that has errors, or is written in an unusual form. One over a limit becomes an error on its fields",
      }),
      json_max_values: key(wholeNumber({ minimum: 100 }), {
        default: 2_000_000,
        note: 'The most values in such a response',
      }),
      json_max_names: key(wholeNumber({ minimum: 100 }), {
        default: 100_000,
        note: 'The most different names of members in such a response',
      }),
    }),
  }),
  headers: responseHeaders,
  compression: section({
    enabled: key(boolean, {
      default: true,
      note: 'Compresses responses to queries (zstd, br or gzip) for clients that accept it; turn it off if the load balancer compresses',
    }),
    min_size: key(byteSize, { default: '2KiB', note: 'The shortest response that is compressed' }),
  }),
  authentication: section({
    tenant_claim: key(text, {
      note: 'The claim that names a caller’s tenant, which a token then needs. Default: all callers of an issuer are one tenant',
    }),
    required_claims: key(listOf(text), {
      default: [],
      note: 'The claims that a token needs, besides exp, and iss and aud where these are compared. Callers without sub share nothing with each other',
    }),
    tenants: key(mapOf(listOf(text)), {
      default: {},
      note: 'The tenants that an issuer may name, by issuer. Default: any',
    }),
    oidc: key(
      listOf(
        section({
          issuer: key(text, {
            required: true,
            note: 'An issuer, exactly as its tokens name it. Its OpenID configuration names the key set. http:// as for jwks[].url',
          }),
          audiences: audiences(', else every audience'),
        }),
      ),
      {
        default: [],
        note: 'Issuers by OpenID Connect Discovery, in addition to authentication.router.jwt.jwks',
      },
    ),
    introspection: key(
      section({
        endpoint: key(text, {
          required: true,
          note: 'The introspection endpoint. http:// as for jwks[].url',
        }),
        client_id: key(text, { required: true, note: 'The gateway’s client there' }),
        client_secret: key(text, {
          required: true,
          note: 'Its secret, such as `${file./run/secrets/oauth}`',
        }),
        issuer: key(text, { required: true, note: 'The issuer of the tokens' }),
        audiences: audiences('; without it, the endpoint has to say that the token is a Bearer token'),
        cache_ttl: key(duration, {
          default: '10s',
          note: 'The longest time for which a revoked token is still accepted, at most a minute; never past exp',
        }),
      }),
      { note: 'Opaque tokens, verified by RFC 7662; all tokens where no key set is configured' },
    ),
    plain_http_hosts: key(listOf(hostName), {
      default: [],
      note: 'The hosts whose key sets may be fetched over http://. An attacker who can change that traffic can sign tokens of every tenant, so name only hosts that a mesh encrypts traffic to',
    }),
  }),
  authorization: section({
    policies_claim: key(text, {
      note: 'The claim of a token that lists its caller’s policies (@policy). Default: policies',
    }),
  }),
  plan_cache: optionalSection({
    path: key(text, {
      required: true,
      note: 'A directory that keeps query plans for later starts and for other gateways of this machine. A client that can write there decides what subgraphs are asked. It is looked in before the Redis of supergraph.query_planning.cache.redis',
    }),
    max_bytes: key(byteSize, {
      default: '64MiB',
      note: 'The most bytes on disk; plans that were not used for the longest time are removed first',
    }),
  }),
  throttle: section({
    unit: key(oneOf('cost', 'request'), {
      default: 'request',
      note: 'The unit of rate limits: requests, as in Apollo Router, or the cost of their operations',
    }),
    tenant: rateLimit('The most that one tenant may use in an interval'),
    local_share: key(share, {
      default: 0.5,
      note: 'The share of a limit that each replica grants while Redis does not respond',
    }),
  }),
  tiers: key(
    section({
      claim: key(text, {
        required: true,
        note: 'The claim of a token that names its caller’s tier, a text or a number. Of a list, the first of `limits` that is in it; names that are numbers come before others',
      }),
      default: key(text, {
        note: 'The tier of callers whose claim names none of them, anonymous ones included. Default: the limits that hold without tiers',
      }),
      limits: key(
        mapOf(
          section({
            max_cost: key(amount, {
              note: 'The most that an operation may cost, in place of `demand_control.strategy.static_estimated.max`',
            }),
            throttle: rateLimit(
              'The most that one tenant of the tier may use in an interval, in place of `meridian.throttle.tenant`',
            ),
          }),
        ),
        {
          required: true,
          note: 'The limits of each tier, by its name. Those that it does not name hold as for all',
        },
      ),
    }),
    { note: 'Limits by tier, such as the plans that customers pay for' },
  ),
  explain: section({
    enabled: key(boolean, {
      note: 'Keeps explanations of recent requests. Default: on in development if there is a secret',
    }),
    secret: key(anyText, { note: 'The secret that a request for an explanation must carry' }),
    max_bytes: key(byteSize, {
      default: '16MiB',
      note: 'The memory for explanations; the oldest are dropped first',
    }),
  }),
  usage: section({
    enabled: key(boolean, {
      default: true,
      note: 'Records the use of fields, by operation and client: in PostgreSQL if DATABASE_URL is set, and in the metrics',
    }),
    flush_interval: key(duration, {
      default: '10s',
      note: 'The time between writes. A killed gateway loses at most this much',
    }),
    max_counts: key(positiveInteger, {
      default: 10_000,
      note: 'The most counts, each of an operation and a client, that may wait to be written',
    }),
    retention_days: key(positiveInteger, { default: 90, note: 'The retention in days' }),
  }),
  subscription: meridianSubscription,
  mcp,
  cost: section({
    measure_every: key(positiveInteger, {
      default: 64,
      note: 'Measures the actual cost of the first response of each operation, then of one in this many',
    }),
  }),
  overload: section({
    max_event_loop_delay: key(duration, {
      default: '1s',
      note: 'A process whose event loop is delayed by this much, as the median of half a second, answers 503',
    }),
    max_body_bytes: key(byteSize, {
      default: '64MiB',
      note: 'More bytes of request bodies under way answer 503; a tenant below its equal share still gets in',
    }),
  }),
  errors: section({
    allowed_codes: key(listOf(text), {
      default: ['BAD_USER_INPUT', 'CONFLICT', 'FORBIDDEN', 'NOT_FOUND', 'UNAUTHENTICATED'],
      note: 'The codes that clients see in masked errors of subgraphs; any other becomes INTERNAL_SERVER_ERROR',
    }),
  }),
});
