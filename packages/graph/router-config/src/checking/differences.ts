// Long because it is data: the differences from Apollo Router with the same file. `pnpm router-config check` and
// docs/differences-from-apollo-router.md print it.
import type { FoundKey } from '../keys/keys-in.ts';
import type { JsonSchema } from '../declaration/json-schema.ts';
import { memberOf } from '../declaration/json-schema.ts';
import type { RouterConfig } from '../sections/router-file.ts';
import { routerFile } from '../sections/router-file.ts';

/** A file, as a difference may depend on it. */
interface CheckedFile {
  readonly config: RouterConfig;
  /** True when the file sets a key, given by its path in the tables of keys. */
  readonly isSet: (path: string) => boolean;
  readonly mode: 'development' | 'production';
}

export interface Difference {
  /** A key, or a subject without a key. */
  readonly about: string;
  readonly inRouter: string;
  readonly here: string;
  /** The key that gives Apollo Router's behaviour, with the value that does; absent where there is none. */
  readonly change?: readonly [path: string, value: unknown];
  /** True when it applies to a file. Default: it applies to every file. */
  readonly holdsFor?: (file: CheckedFile) => boolean;
}

/** The line that `pnpm router-config check` prints for a difference that applies to a file. */
export interface AppliedDifference extends Pick<Difference, 'about' | 'inRouter' | 'here'> {
  /**
   * The setting for Apollo Router's behaviour, such as `meridian.operations.require_name: false`; undefined
   * when there is none.
   */
  readonly change: string | undefined;
}

/** The default of a key, as the file would say it. */
function defaultOf(path: string): string {
  const schema = path
    .split('.')
    .reduce<JsonSchema | undefined>((at, name) => at && memberOf(at, name), routerFile.schema);
  return String(schema?.default);
}

function limit(name: string): string {
  return defaultOf(`meridian.limits.${name}`);
}

const hasJwt = ({ config }: CheckedFile): boolean => config.authentication?.router !== undefined;
const hasWebSockets = ({ config }: CheckedFile): boolean =>
  config.subscription.mode.passthrough !== undefined;
const hasCallbacks = ({ config }: CheckedFile): boolean => config.subscription.mode.callback !== undefined;
const isTraced = ({ config: { telemetry } }: CheckedFile): boolean =>
  telemetry.exporters.tracing.otlp.enabled || telemetry.exporters.tracing.zipkin.enabled;

/** True where the file leaves one of these keys out. */
const unless =
  (...paths: readonly string[]): Difference['holdsFor'] & {} =>
  ({ isSet }) =>
    !paths.every(isSet);

/** Defaults that differ, by key. */
export const defaultsThatDiffer: readonly Difference[] = [
  {
    about: 'subscription.mode.passthrough.all.max_reconnect_attempts',
    inRouter: '0: a stream ends when the connection to its subgraph does, as at each deploy of the subgraph',
    here: '10, with growing delays: a stream goes on, from its last position where the subgraph gives positions (extensions.cursor, extensions.resumeAfter). After a callback, and over HTTP, too',
    change: ['subscription.mode.passthrough.all.max_reconnect_attempts', 0],
    holdsFor: ({ config: { subscription } }) =>
      subscription.mode.passthrough?.all?.max_reconnect_attempts !== 0 &&
      (subscription.mode.passthrough ?? subscription.mode.callback) !== undefined,
  },
  {
    about: 'batching.maximum_size',
    inRouter: 'no limit',
    here: `${defaultOf('batching.maximum_size')} operations; a longer batch is rejected`,
    holdsFor: ({ config, isSet }) => config.batching.enabled && !isSet('batching.maximum_size'),
  },
  {
    about: 'demand_control.strategy.static_estimated.actual_cost_mode',
    inRouter: 'by_subgraph: the cost of all responses of subgraphs together',
    here: `${defaultOf('demand_control.strategy.static_estimated.actual_cost_mode')}: the cost of the client’s response`,
    change: ['demand_control.strategy.static_estimated.actual_cost_mode', 'by_subgraph'],
    holdsFor: ({ config: { demand_control: demand }, isSet }) =>
      demand.enabled && !isSet('demand_control.strategy.static_estimated.actual_cost_mode'),
  },
  {
    about: 'subscription.mode.callback.listen',
    inRouter: '127.0.0.1:4000, the address of clients',
    here: '127.0.0.1:4041, so public_url needs that port; the address of clients where the file says so',
    holdsFor: (file) => hasCallbacks(file) && !file.isSet('subscription.mode.callback.listen'),
  },
  {
    about: 'meridian.operations.require_name',
    inRouter: 'an operation without a name runs',
    here: 'an operation without a name is rejected (ANONYMOUS_OPERATION)',
    change: ['meridian.operations.require_name', false],
    holdsFor: ({ config }) => config.meridian.operations.require_name,
  },
  {
    about: 'authorization.directives.errors.log',
    inRouter: 'on',
    here: 'off: the line of a request has the code UNAUTHORIZED_FIELD_OR_TYPE, without the paths',
    change: ['authorization.directives.errors.log', true],
    holdsFor: ({ config }) => !config.authorization.directives.errors.log,
  },
  {
    about: 'traffic_shaping.all.deduplicate_query',
    inRouter: 'off',
    here: 'on: equal queries to a subgraph that are in flight share one subrequest, and equal requests of one caller one execution (`meridian.deduplicate_requests`). Equal means the same in everything that authorization depends on: URL, body, caller and forwarded header fields. A request that arrives after a mutation has ended shares nothing that began before',
    change: ['traffic_shaping.all.deduplicate_query', false],
    holdsFor: unless('traffic_shaping.all.deduplicate_query'),
  },
  {
    about: 'limits.subgraph.all.http_max_response_size',
    inRouter: 'no limit',
    here: `${defaultOf('limits.subgraph.all.http_max_response_size')}; a longer response of a subgraph becomes an error on its fields`,
    change: ['limits.subgraph.all.http_max_response_size', '1GiB'],
    holdsFor: unless('limits.subgraph.all.http_max_response_size'),
  },
  {
    about: 'meridian.limits.max_document_length, max_operations, max_fragments, max_selections',
    inRouter: 'no limits for documents other than parser_max_tokens and parser_max_recursion',
    here: `a document has at most ${limit('max_document_length')} characters, ${limit('max_operations')} operations, ${limit('max_fragments')} fragments and ${limit('max_selections')} selections in one set; each line of a block string counts as a token`,
    holdsFor: unless(
      'meridian.limits.max_document_length',
      'meridian.limits.max_operations',
      'meridian.limits.max_fragments',
      'meridian.limits.max_selections',
    ),
  },
  {
    about: 'meridian.limits.json_max_depth, json_max_values',
    inRouter: 'no limit for bodies other than http_max_request_bytes',
    here: `the JSON of a request has at most ${limit('json_max_depth')} levels and ${limit('json_max_values')} values`,
    holdsFor: unless('meridian.limits.json_max_depth', 'meridian.limits.json_max_values'),
  },
  {
    about: 'meridian.limits.subgraph.json_max_depth, json_max_values, json_max_names',
    inRouter: 'no limit',
    here: `a subgraph's response that has errors, or an unusual form, has at most ${limit('subgraph.json_max_depth')} levels, ${limit('subgraph.json_max_values')} values and ${limit('subgraph.json_max_names')} names of members`,
    holdsFor: unless(
      'meridian.limits.subgraph.json_max_depth',
      'meridian.limits.subgraph.json_max_values',
      'meridian.limits.subgraph.json_max_names',
    ),
  },
  {
    about: 'meridian.limits.introspection_max_depth',
    inRouter: 'limits.introspection_max_depth alone',
    here: `beside it, an operation that selects only the schema may have a depth of ${limit('introspection_max_depth')}`,
    holdsFor: ({ config, isSet }) =>
      config.supergraph.introspection && !isSet('meridian.limits.introspection_max_depth'),
  },
  {
    about: 'meridian.compression',
    inRouter: 'every response is compressed, in gzip, deflate, br or zstd, if the client accepts it',
    here: `responses to queries are compressed from ${defaultOf('meridian.compression.min_size')} on, in zstd, br or gzip; responses to mutations are not`,
    holdsFor: ({ config }) => config.meridian.compression.enabled,
  },
  {
    about: 'meridian.overload.max_event_loop_delay',
    inRouter: 'no such limit',
    here: `a process whose event loop is ${defaultOf('meridian.overload.max_event_loop_delay')} late answers 503 with Retry-After`,
    change: ['meridian.overload.max_event_loop_delay', '1h'],
    holdsFor: unless('meridian.overload.max_event_loop_delay'),
  },
  {
    about: 'supergraph.path',
    inRouter: '/',
    here: 'both / and /graphql',
    change: ['supergraph.path', '/'],
    holdsFor: unless('supergraph.path'),
  },
  {
    about: 'telemetry.exporters.tracing.propagation.trace_context',
    inRouter: 'on wherever traces are exported by OTLP',
    here: 'off',
    change: ['telemetry.exporters.tracing.propagation.trace_context', true],
    holdsFor: (file) => isTraced(file) && !file.config.telemetry.exporters.tracing.propagation.trace_context,
  },
  {
    about: 'telemetry.exporters.tracing.common.service_name',
    inRouter: 'unknown_service:router',
    here: defaultOf('telemetry.exporters.tracing.common.service_name'),
    change: ['telemetry.exporters.tracing.common.service_name', 'unknown_service:router'],
    holdsFor: (file) => isTraced(file) && !file.isSet('telemetry.exporters.tracing.common.service_name'),
  },
];

/** Differences that no key of the file changes, or in the meaning of a key. */
export const behavioursThatDiffer: readonly Difference[] = [
  {
    about: 'telemetry.instrumentation.events',
    inRouter: 'request, response and error have header fields and bodies; all events are added to spans too',
    here: 'the lines of the log have neither; select the values that you need. Spans have no events',
    holdsFor: ({ config: { telemetry } }) =>
      Object.values(telemetry.instrumentation.events).some(({ size }) => size > 0),
  },
  {
    about: 'subscription.deduplication',
    inRouter:
      'compares the claims of tokens too, unless ignore_auth_context is true; ignored_headers may name authorization',
    here: 'compares what the subgraph gets: the operation, variables and header fields. ignored_headers cannot name Authorization or Cookie',
    holdsFor: (file) => hasWebSockets(file) || hasCallbacks(file),
  },
  {
    about: 'a WebSocket that its subgraph closes with 1000',
    inRouter: 'ends the subscription in order',
    here: 'is opened again, like any that is closed before the message complete',
    holdsFor: hasWebSockets,
  },
  {
    about: 'the status of request errors',
    inRouter: '400 for a syntax error, a validation error, and an operation over a limit or its cost',
    here: '200 for clients that accept application/json, as the specification of this gateway requires; 400 for clients that accept application/graphql-response+json',
  },
  {
    about: 'the health check',
    inRouter: '/health?ready and /health?live are probes',
    here: '/readyz and /livez of the admin listener are probes; /health answers UP with any query string',
    holdsFor: ({ config }) => config.health_check.enabled,
  },
  {
    about: 'csrf',
    inRouter: 'each Content-Type that a form cannot have passes, such as message/rfc822',
    here: 'a Content-Type passes if it is JSON: browsers have sent others without a preflight',
    holdsFor: ({ config }) => !config.csrf.unsafe_disabled,
  },
  {
    about: 'the claims of a token',
    inRouter: 'exp is required; iss and aud where the file lists them; iat is not compared',
    here: 'the same, and the claims that meridian.authentication.required_claims and tenant_claim name; a token issued in the future is 401',
    holdsFor: hasJwt,
  },
  {
    about: 'the algorithms of a token',
    inRouter: 'every algorithm of its library, unless jwks[].algorithms limits them',
    here: 'RS256, PS256, ES256 and EdDSA, unless jwks[].algorithms lists others; each with keys of its type only, and HS256 with a secret from a file only',
    holdsFor: hasJwt,
  },
  {
    about: 'authentication.router.jwt.sources[].type: cookie',
    inRouter: 'the cookie counts for every request',
    here: 'it counts only where no foreign page can have made a browser send it, whatever csrf.unsafe_disabled says: docs/production.md',
    holdsFor: ({ config }) =>
      config.authentication?.router?.jwt.sources.some(({ type }) => type === 'cookie') === true,
  },
  {
    about: 'authentication.router.jwt.on_error: Continue',
    inRouter: 'a request continues as anonymous while a key set cannot be fetched',
    here: '503 while a key set cannot be fetched; an invalid token continues as anonymous',
    holdsFor: ({ config }) => config.authentication?.router?.jwt.on_error === 'Continue',
  },
  {
    about: 'tokens of an issuer that one key set names',
    inRouter: 'a key set without issuers verifies them too',
    here: 'only the key sets that name the issuer verify them',
    holdsFor: hasJwt,
  },
  {
    about: 'supergraph.introspection',
    inRouter: 'served',
    here: 'served; in production the start logs a warning, unless meridian.public_schema is true',
    change: ['meridian.public_schema', true],
    holdsFor: ({ config, mode }) =>
      config.supergraph.introspection && mode === 'production' && !config.meridian.public_schema,
  },
  {
    about: 'include_subgraph_errors',
    inRouter: 'a redacted error has a fixed message and no extensions',
    here: 'a masked error has a fixed message, extensions.traceId, and its code if meridian.errors.allowed_codes lists it; in development nothing is masked',
    holdsFor: ({ config }) => config.include_subgraph_errors.all === false,
  },
  {
    about: 'traffic_shaping.router.global_rate_limit',
    inRouter: 'counts requests',
    here: 'counts the cost of operations if meridian.throttle.unit is cost',
    change: ['meridian.throttle.unit', 'request'],
    holdsFor: ({ config }) =>
      config.traffic_shaping.router.global_rate_limit !== undefined &&
      config.meridian.throttle.unit === 'cost',
  },
  {
    about: 'limits.max_root_fields',
    inRouter: 'fields in fragments at the root do not count, and a repeated name counts once',
    here: 'every root field counts, including fields in fragments, once for each spread',
    holdsFor: ({ config }) => config.limits.max_root_fields !== undefined,
  },
  {
    about: 'sandbox.enabled',
    inRouter: 'Apollo Sandbox, loaded from Apollo',
    here: 'GraphiQL at /explorer, in development only, for browsers on the same machine',
    holdsFor: ({ config }) => config.sandbox.enabled,
  },
  {
    about: 'Cache-Control, ETag',
    inRouter: 'absent without the response cache',
    here: 'a response to GET has both; Cache-Control follows the @cacheControl hints of its fields, and is no-store without hints',
  },
  {
    about: 'metrics',
    inRouter:
      'for Prometheus at 127.0.0.1:9090/metrics, if telemetry.exporters.metrics.prometheus is enabled',
    here: 'for Prometheus at /metrics of the admin listener (health_check.listen), always on',
  },
  {
    about: 'the log',
    inRouter: 'text on a terminal, else JSON; telemetry.exporters.logging',
    here: 'lines of JSON on standard output, or of text (telemetry.exporters.logging.stdout, LOG_FORMAT); LOG_LEVEL and LOG_REQUEST_RATIO choose them',
  },
  {
    about: 'reloading files',
    inRouter: 'with --hot-reload; the supergraph comes from Uplink, a file or OCI',
    here: 'always: the supergraph, router.yaml and the manifest are read again when they change. The supergraph and manifests come from files, https://, S3 or OCI',
  },
  {
    about: 'the command line and the environment',
    inRouter: '--supergraph, --config, --dev, APOLLO_ROUTER_*, APOLLO_KEY, APOLLO_GRAPH_REF',
    here: '--supergraph, --config, --dev, or SUPERGRAPH_PATH, ROUTER_CONFIG_PATH, NODE_ENV=development; docs/production.md lists every variable',
  },
];

/** The differences that hold for a file. */
export function differencesFor(
  config: RouterConfig,
  keys: readonly Pick<FoundKey, 'pattern'>[],
  mode: CheckedFile['mode'],
): AppliedDifference[] {
  const isSet = (path: string): boolean => keys.some(({ pattern }) => pattern === path);
  return [...defaultsThatDiffer, ...behavioursThatDiffer]
    .filter(({ holdsFor }) => holdsFor?.({ config, isSet, mode }) ?? true)
    .map(({ about, inRouter, here, change }) => ({
      about,
      inRouter,
      here,
      change: change && changeAsText(change),
    }));
}

/** A change as a line: `meridian.operations.require_name: false`. */
export function changeAsText([path, value]: NonNullable<Difference['change']>): string {
  return `${path}: ${String(value)}`;
}
