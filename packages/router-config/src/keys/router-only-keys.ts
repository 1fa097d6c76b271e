// Long because it is data: the keys of Apollo Router 2.16 that this gateway lacks. A section that it lacks altogether
// has one row. `*` is a name that the operator chooses, `[]` an item of a list.
import type { KeyFacts } from '../declaration/json-schema.ts';
import type { Mapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';

/** The treatment of a key that only Apollo Router has. */
export type RouterOnlyKey =
  /** Stops the start. The text completes a sentence: what to do instead. */
  | { readonly instead: string }
  /** Has no effect, and clients see no difference. The text completes a sentence: the reason. */
  | { readonly passedOver: string }
  /** Its value asks for what the gateway does without it. */
  | { readonly isAsHere: true };

const unsupported: Readonly<Record<string, string>> = {
  'apq.router.cache.redis.password': 'REDIS_URL is used instead, with password and TLS in the URL',
  'apq.router.cache.redis.required_to_start': 'REDIS_URL is used instead, with password and TLS in the URL',
  'apq.router.cache.redis.reset_ttl': 'REDIS_URL is used instead, with password and TLS in the URL',
  'apq.router.cache.redis.tls': 'REDIS_URL is used instead, with password and TLS in the URL',
  'apq.router.cache.redis.username': 'REDIS_URL is used instead, with password and TLS in the URL',
  'apq.subgraph': 'subrequests carry the operation’s text',
  'authentication.connector': 'the gateway does not run connectors',
  'authentication.router.jwt.header_name': 'tokens are read from Authorization',
  'authentication.router.jwt.header_value_prefix': 'the scheme is Bearer',
  'authentication.router.jwt.ignore_other_prefixes': 'every scheme other than Bearer is rejected',
  'authentication.router.jwt.jwks[].allow_missing_exp': 'a token without exp is rejected',
  'authentication.router.jwt.jwks[].headers': 'key sets are fetched without custom header fields',
  'authentication.router.jwt.on_error': 'an invalid token is always rejected',
  'authentication.router.jwt.sources': 'tokens are read from Authorization; a proxy can put them there',
  'authentication.subgraph':
    'insert a header field (headers.subgraphs.*.request), or let a proxy sign subrequests',
  'authorization.directives.dry_run': 'try rules in development',
  'authorization.directives.errors': 'an unauthorized field is null, with an error on its path',
  'authorization.directives.reject_unauthorized':
    'an unauthorized field is null; the rest of the operation runs',
  batching: 'send operations one by one over one connection',
  connectors: 'write a small subgraph over the REST API',
  coprocessor: 'put a proxy in front of the gateway',
  'cors.policies[].private_network_access': 'let a proxy add the header field',
  'demand_control.strategy.static_estimated.actual_cost_mode':
    'the actual cost is computed from the client’s response',
  'demand_control.strategy.static_estimated.subgraph':
    'the limit applies to the client’s operation; a subgraph can limit its own',
  'demand_control.strategy.test': 'use static_estimated',
  experimental_chaos: 'stop a subgraph to test a failure',
  experimental_diagnostics: 'start Node with --inspect',
  experimental_hoist_orphan_errors: 'an error without a path gets the path of its fetch',
  forbid_mutations: 'leave mutations out of the manifest',
  'headers.connector': 'the gateway does not run connectors',
  'limits.connector': 'the gateway does not run connectors',
  'limits.http1_max_request_buf_size': 'the limit for header fields is 64 KiB',
  'limits.http1_max_request_headers': 'the limit for header fields is 200, and 64 KiB',
  'limits.http2_max_headers_list_bytes': 'HTTP/2 ends at the load balancer',
  'limits.introspection_max_depth': 'use meridian.limits.introspection_max_depth, which takes a number',
  'limits.max_recursive_selections':
    'max_depth, max_aliases and the cost limit an operation, fragments included',
  'limits.warn_only': 'try limits in development; for the cost, use demand_control.mode: measure',
  experimental_mock_subgraphs: 'run a subgraph that returns the mock data',
  plugins: 'the gateway has no plugins; put a proxy in front of it',
  preview_entity_cache: 'a cache in front of the gateway can use Cache-Control',
  preview_file_uploads: 'upload to a REST endpoint, and pass the returned identifier',
  progressive_override: 'percent(n) of @override is evaluated per request; other labels are never active',
  response_cache: 'a cache in front of the gateway can use Cache-Control',
  rhai: 'the gateway has no scripts; use header rules, or a proxy in front of it',
  server: 'a head must arrive within 10 s, a request within 60 s; limits bounds their sizes',
  subscription: 'let clients poll, or subscribe to a service directly',
  'supergraph.enable_result_coercion_errors': 'a value of the wrong type is always null with an error',
  'supergraph.query_planning.cache.redis.tls':
    'use a rediss:// URL, with NODE_EXTRA_CA_CERTS for an authority of your own',
  'supergraph.redact_query_validation_errors':
    'messages name types, and suggest no names; a safelist rejects every other operation',
  'supergraph.strict_variable_validation': 'variables are always checked strictly',
  'telemetry.exporters.tracing.common.preview_datadog_agent_sampling':
    'the gateway’s spans have a fixed, bounded set of attributes',
  'telemetry.exporters.tracing.common.service_namespace': 'write it as resource: { service.namespace: … }',
  'telemetry.exporters.tracing.datadog': 'send OTLP to a collector, which can forward it',
  'telemetry.exporters.tracing.experimental_response_trace_id':
    'the header field apollo-trace-id always has it, as 32 hexadecimal digits',
  'telemetry.exporters.tracing.otlp.http.tls':
    'spans are sent as OTLP over HTTP, to an http:// or https:// endpoint',
  'telemetry.exporters.tracing.propagation.aws_xray': 'only traceparent is propagated (trace_context)',
  'telemetry.exporters.tracing.propagation.baggage': 'only traceparent is propagated (trace_context)',
  'telemetry.exporters.tracing.propagation.datadog': 'only traceparent is propagated (trace_context)',
  'telemetry.exporters.tracing.propagation.jaeger': 'only traceparent is propagated (trace_context)',
  'telemetry.exporters.tracing.propagation.request': 'only traceparent is propagated (trace_context)',
  'telemetry.exporters.tracing.propagation.zipkin': 'only traceparent is propagated (trace_context)',
  'telemetry.exporters.tracing.zipkin': 'send OTLP to a collector, which can forward it',
  tls: 'TLS ends at the load balancer; to subgraphs, use https:// URLs and NODE_EXTRA_CA_CERTS',
  'traffic_shaping.all.global_rate_limit':
    'throttle clients instead: traffic_shaping.router.global_rate_limit, meridian.throttle.tenant',
  'traffic_shaping.connector': 'the gateway does not run connectors',
  'traffic_shaping.subgraphs.*.global_rate_limit':
    'throttle clients instead: traffic_shaping.router.global_rate_limit, meridian.throttle.tenant',
};

const passedOver: Readonly<Record<string, string>> = {
  'apq.router.cache.redis.metrics_interval': 'the metrics are current at each scrape',
  'apq.router.cache.redis.pool_size': 'commands are pipelined over one connection',
  experimental_type_conditioned_fetching:
    'the response is the same; fetches are limited to types where their results differ',
  'supergraph.defer_support': '@defer is rejected with an error that says so; every other operation runs',
  'telemetry.exporters.metrics.common':
    'the metrics are fixed, most of them under Apollo Router’s names: see /metrics',
  'telemetry.exporters.metrics.otlp':
    'metrics are not sent: have the collector scrape /metrics of the admin listener',
  'telemetry.exporters.metrics.prometheus.resource_selector': 'the resource is not part of the metrics',
  'telemetry.exporters.metrics.prometheus.temporality': 'counters are cumulative, as Prometheus reads them',
  'telemetry.exporters.tracing.otlp.batch_processor.max_concurrent_exports':
    'batches of spans are sent one after another',
  'telemetry.exporters.tracing.otlp.grpc': 'spans are sent as OTLP over HTTP',
  'telemetry.instrumentation.events': 'the log has one line for each request, and one for each error',
  'telemetry.instrumentation.instruments':
    'the metrics are fixed, most of them under Apollo Router’s names: see /metrics',
  'telemetry.instrumentation.spans.connector': 'the gateway does not run connectors',
  'telemetry.instrumentation.spans.default_attribute_requirement_level':
    'spans have the names and attributes of Apollo Router’s defaults',
  'telemetry.instrumentation.spans.http_client':
    'spans have the names and attributes of Apollo Router’s defaults',
  'telemetry.instrumentation.spans.router': 'spans have the names and attributes of Apollo Router’s defaults',
  'telemetry.instrumentation.spans.subgraph':
    'spans have the names and attributes of Apollo Router’s defaults',
  'telemetry.instrumentation.spans.supergraph':
    'spans have the names and attributes of Apollo Router’s defaults',
  'traffic_shaping.all.compression':
    'requests to subgraphs are sent uncompressed, which every subgraph reads',
  'traffic_shaping.all.experimental_http2_keep_alive_interval':
    'the timeout of a subrequest ends a dead connection',
  'traffic_shaping.all.experimental_http2_keep_alive_timeout':
    'the timeout of a subrequest ends a dead connection',
  'traffic_shaping.subgraphs.*.compression':
    'requests to subgraphs are sent uncompressed, which every subgraph reads',
  'traffic_shaping.subgraphs.*.experimental_http2_keep_alive_interval':
    'the timeout of a subrequest ends a dead connection',
  'traffic_shaping.subgraphs.*.experimental_http2_keep_alive_timeout':
    'the timeout of a subrequest ends a dead connection',
  'authentication.router.jwt.jwks[].poll_interval':
    'keys in use are fetched again after a minute, and when a token names an unknown key',
  expose_query_plan: 'meridian-gateway explain shows operators the plan of a request',
  enhanced_client_awareness: 'extensions.clientLibrary is always ignored',
  fleet_detector: 'nothing is reported to Apollo',
  'headers.all.request.masking': 'header fields are neither logged nor traced',
  'headers.all.response': 'it only configures masking; header fields are neither logged nor traced',
  'headers.subgraphs.*.request.masking': 'header fields are neither logged nor traced',
  'headers.subgraphs.*.response': 'it only configures masking; header fields are neither logged nor traced',
  'health_check.readiness': '/readyz of the admin listener reports the current state at once',
  homepage:
    'the gateway has no landing page; in development it serves an explorer at /explorer (sandbox.enabled)',
  license_enforcement: 'the gateway needs no licence key',
  reload: 'the supergraph, the configuration and the manifest are read again whenever their files change',
  'supergraph.connection_shutdown_timeout': 'SHUTDOWN_GRACE_MS bounds the end of the process',
  'supergraph.early_cancel': 'always on: work is cancelled when the client hangs up',
  'supergraph.experimental_log_on_broken_pipe': 'a client that hangs up is always logged',
  'supergraph.generate_query_fragments': 'subrequests are sent as planned, without generated fragments',
  'supergraph.query_planning.cache.redis.metrics_interval': 'the metrics are current at each scrape',
  'supergraph.query_planning.cache.redis.pool_size': 'commands are pipelined over one connection',
  'supergraph.query_planning.experimental_cooperative_cancellation':
    'planning has a fixed limit of time and memory',
  'supergraph.query_planning.experimental_paths_limit': 'planning has a fixed limit of time and memory',
  'supergraph.query_planning.experimental_plans_limit': 'planning has a fixed limit of time and memory',
  'supergraph.query_planning.experimental_reuse_query_plans': 'a new supergraph gets new plans',
  'telemetry.apollo': 'nothing is sent to Apollo; field usage is recorded in PostgreSQL (meridian.usage)',
  'telemetry.exporters.logging': 'the log is lines on standard output, of JSON or text: LOG_FORMAT',
  'telemetry.exporters.tracing.common.max_attributes_per_event':
    'the gateway’s spans have a fixed, bounded set of attributes',
  'telemetry.exporters.tracing.common.max_attributes_per_link':
    'the gateway’s spans have a fixed, bounded set of attributes',
  'telemetry.exporters.tracing.common.max_attributes_per_span':
    'the gateway’s spans have a fixed, bounded set of attributes',
  'telemetry.exporters.tracing.common.max_events_per_span':
    'the gateway’s spans have a fixed, bounded set of attributes',
  'telemetry.exporters.tracing.common.max_links_per_span':
    'the gateway’s spans have a fixed, bounded set of attributes',
  'telemetry.exporters.tracing.otlp.temporality': 'it concerns metrics, not traces',
  'traffic_shaping.all.dns_resolution_strategy': 'names are resolved by Node',
  'traffic_shaping.all.pool_idle_timeout': 'idle connections to subgraphs are closed after a few seconds',
  'traffic_shaping.subgraphs.*.dns_resolution_strategy': 'names are resolved by Node',
  'traffic_shaping.subgraphs.*.pool_idle_timeout':
    'idle connections to subgraphs are closed after a few seconds',
};

/** Keys of Apollo Router 1 that Router 2 removed. */
const droppedByRouter: readonly string[] = [
  'experimental_apollo_metrics_generation_mode',
  'experimental_introspection_mode',
  'experimental_query_planner_mode',
  'supergraph.experimental_reuse_query_fragments',
  'supergraph.query_planning.experimental_parallelism',
  'supergraph.query_planning.legacy_introspection_caching',
  'supergraph.reuse_query_fragments',
  'traffic_shaping.all.experimental_retry',
  'traffic_shaping.subgraphs.*.experimental_retry',
];

/** Their names in other versions of Apollo Router. */
export const otherNames: Readonly<Record<string, KeyFacts>> = {
  batching: { formerly: ['experimental_batching'] },
  connectors: { formerly: ['preview_connectors'] },
  response_cache: { formerly: ['preview_response_cache'] },
  'supergraph.defer_support': { formerly: ['preview_defer_support'] },
  'supergraph.experimental_log_on_broken_pipe': { since: { '3.0': 'log_on_broken_pipe' } },
  'telemetry.exporters.logging': { formerly: ['telemetry.logging'] },
  'telemetry.exporters.tracing.experimental_response_trace_id': { since: { '3.0': 'response_trace_id' } },
};

/** Values of unsupported keys that match the gateway's fixed behaviour. */
const asHere: Readonly<Record<string, unknown>> = {
  'authentication.router.jwt.header_name': 'authorization',
  'authentication.router.jwt.header_value_prefix': 'bearer',
  'authentication.router.jwt.ignore_other_prefixes': false,
  'authentication.router.jwt.jwks[].allow_missing_exp': false,
  'authentication.router.jwt.on_error': 'error',
  'authorization.directives.dry_run': false,
  'authorization.directives.reject_unauthorized': false,
  forbid_mutations: false,
  'limits.warn_only': false,
  'supergraph.enable_result_coercion_errors': true,
  'supergraph.redact_query_validation_errors': false,
  'supergraph.strict_variable_validation': 'enforce',
  'telemetry.exporters.tracing.propagation.aws_xray': false,
  'telemetry.exporters.tracing.propagation.baggage': false,
  'telemetry.exporters.tracing.propagation.datadog': false,
  'telemetry.exporters.tracing.propagation.jaeger': false,
  'telemetry.exporters.tracing.propagation.zipkin': false,
};

interface AnsweredElsewhere {
  /** True if the value needs nothing else. */
  readonly isAsked: (value: unknown) => boolean;
  /** The feature that replaces it; completes a sentence. */
  readonly reason: string;
}

/** Unsupported keys whose purpose another key serves. */
const answeredElsewhere: Readonly<Record<string, AnsweredElsewhere>> = {
  plugins: {
    isAsked: (value) => keysAreAmong(value, ['experimental.expose_query_plan']),
    reason: 'meridian-gateway explain shows operators the plan of a request',
  },
  'telemetry.exporters.tracing.experimental_response_trace_id': {
    isAsked: (value) =>
      keysAreAmong(value, ['enabled', 'header_name', 'format']) &&
      isOneOf(value['header_name'], [undefined, null, 'apollo-trace-id']) &&
      isOneOf(value['format'], [undefined, null, 'hexadecimal', 'open_telemetry']),
    reason: 'the header field apollo-trace-id has it, always',
  },
};

function keysAreAmong(value: unknown, keys: readonly string[]): value is Mapping {
  return isMapping(value) && Object.keys(value).every((key) => keys.includes(key));
}

function isOneOf(value: unknown, values: readonly unknown[]): boolean {
  return values.includes(value);
}

/**
 * Sections whose keys are never ignored: they limit what callers may do, or protect what is sent. A key of one of them
 * that this gateway does not have stops every start.
 */
const protectingSections = [
  'apq.router.cache.redis',
  'authentication',
  'authorization',
  'cors',
  'demand_control',
  'forbid_mutations',
  'headers',
  'limits',
  'server',
  'supergraph.query_planning.cache.redis',
  'supergraph.redact_query_validation_errors',
  'supergraph.strict_variable_validation',
  'telemetry.exporters.tracing.otlp.http.tls',
  'tls',
  'traffic_shaping.all.global_rate_limit',
  'traffic_shaping.subgraphs.*.global_rate_limit',
];
/** Code of the operator's own, which may do the same. */
const ownCode = ['coprocessor', 'plugins', 'rhai'];

/** True for a key that is never ignored, or only in development. */
export function mayProtect(path: string, mode: 'development' | 'production'): boolean {
  return [...protectingSections, ...(mode === 'production' ? ownCode : [])].some(
    (section) => path === section || path.startsWith(`${section}.`),
  );
}

/**
 * The treatment of a key that only Apollo Router has; undefined for a key that Router does not have either. A feature
 * that is off is as here.
 *
 * @param path `*` is a name that the operator chooses, `[]` an item of a list
 */
export function routerOnlyKey(path: string, value: unknown): RouterOnlyKey | undefined {
  const found = routerOnlyKeys.get(path);
  if (found === undefined || 'passedOver' in found) {
    return found;
  }
  if (isAsHere(path, value)) {
    return { isAsHere: true };
  }
  const elsewhere = answeredElsewhere[path];
  return elsewhere?.isAsked(value) ? { passedOver: elsewhere.reason } : found;
}

function isAsHere(path: string, value: unknown): boolean {
  const same = typeof value === 'string' ? value.toLowerCase() : value;
  return value === null || isOff(value) || (path in asHere && asHere[path] === same);
}

/** True if a section, or every section in it, is off: `{ all: { enabled: false } }`. */
function isOff(value: unknown): boolean {
  return isMapping(value) && (value['enabled'] === false || Object.values(value).every(isOff));
}

/** The keys of Apollo Router that this gateway does not have, by their paths. */
export const routerOnlyKeys: ReadonlyMap<string, RouterOnlyKey> = new Map<string, RouterOnlyKey>([
  ...Object.entries(unsupported).map(([path, instead]) => [path, { instead }] as const),
  ...Object.entries(passedOver).map(([path, reason]) => [path, { passedOver: reason }] as const),
  ...droppedByRouter.map((path) => [path, { passedOver: 'Apollo Router 2 removed it' }] as const),
]);
