// Long because it is data: the keys of Apollo Router 2.16 that this gateway does not have. Where it has nothing of a section,
// only the section is named. `*` is a name that the operator chooses, `[]` an item of a list.
import type { Mapping } from './value-types/mapping.ts';
import { isMapping } from './value-types/mapping.ts';

/** The treatment of a key that only Apollo Router has. */
export type RouterOnlyKey =
  /** It stops the start; the end of a sentence says what to do instead. */
  | { readonly instead: string }
  /** It is passed over with a note, since nothing that clients see hangs on it; the end of a sentence says why. */
  | { readonly passedOver: string };

const unsupported: Readonly<Record<string, string>> = {
  'apq.router.cache.redis.metrics_interval':
    'REDIS_URL is used instead, with its password and TLS in the URL',
  'apq.router.cache.redis.password': 'REDIS_URL is used instead, with its password and TLS in the URL',
  'apq.router.cache.redis.pool_size': 'REDIS_URL is used instead, with its password and TLS in the URL',
  'apq.router.cache.redis.required_to_start':
    'REDIS_URL is used instead, with its password and TLS in the URL',
  'apq.router.cache.redis.reset_ttl': 'REDIS_URL is used instead, with its password and TLS in the URL',
  'apq.router.cache.redis.tls': 'REDIS_URL is used instead, with its password and TLS in the URL',
  'apq.router.cache.redis.username': 'REDIS_URL is used instead, with its password and TLS in the URL',
  'apq.subgraph': 'subgraphs are sent texts',
  'authentication.connector': 'connectors are not run',
  'authentication.router.jwt.header_name': 'tokens come in Authorization',
  'authentication.router.jwt.header_value_prefix': 'the scheme is Bearer',
  'authentication.router.jwt.ignore_other_prefixes': 'another scheme than Bearer is refused',
  'authentication.router.jwt.jwks[].algorithms':
    'an allow-list of RS256, PS256, ES256 and EdDSA, fitting each key, holds always',
  'authentication.router.jwt.jwks[].allow_missing_exp': 'a token without an end is refused',
  'authentication.router.jwt.jwks[].headers': 'key sets are fetched without header fields of your own',
  'authentication.router.jwt.on_error': 'a bad token is refused always',
  'authentication.router.jwt.sources': 'tokens come in Authorization; have a proxy put them there',
  'authentication.subgraph':
    'insert a header field (headers.subgraphs.*.request), or have a proxy sign requests',
  'authorization.directives.dry_run': 'try rules in development',
  'authorization.directives.errors': 'a field that the caller may not see is null with an error on its path',
  'authorization.directives.reject_unauthorized':
    'a field that the caller may not see is null; the rest is answered',
  batching: 'send operations one by one, over one connection',
  connectors: 'put a small subgraph in front of the REST API',
  coprocessor: 'put a proxy in front of the gateway',
  'cors.policies[].private_network_access': 'have a proxy add the header field',
  'demand_control.strategy.static_estimated.actual_cost_mode':
    'the actual cost is counted over the client’s answer',
  'demand_control.strategy.static_estimated.subgraph':
    'the bound holds for the client’s operation; each subgraph bounds its own',
  'demand_control.strategy.test': 'use static_estimated',
  experimental_chaos: 'stop a subgraph to see what happens',
  experimental_diagnostics: 'start Node with --inspect',
  experimental_hoist_orphan_errors: 'an error without a path gets the path of its fetch',
  experimental_type_conditioned_fetching: 'fetches are always bound to the types that their paths name',
  forbid_mutations: 'leave mutations out of the manifest',
  'headers.connector': 'connectors are not run',
  'limits.connector': 'connectors are not run',
  'limits.http1_max_request_buf_size': 'header fields of 64 KiB pass, and no more',
  'limits.http1_max_request_headers': 'header fields of 64 KiB pass, however many',
  'limits.http2_max_headers_list_bytes': 'HTTP/2 ends at the load balancer',
  'limits.introspection_max_depth': 'use meridian.limits.introspection_max_depth, a number',
  'limits.max_recursive_selections':
    'max_depth, max_aliases and the cost bound an operation, through fragments',
  'limits.warn_only': 'try limits in development; demand_control.mode: measure is for the cost',
  experimental_mock_subgraphs: 'run a subgraph that answers so',
  plugins: 'there are no plugins; put a proxy in front of the gateway',
  preview_entity_cache: 'answers may be cached by their Cache-Control, in front of the gateway',
  preview_file_uploads: 'upload to a REST endpoint, and pass what it answers',
  progressive_override: 'percent(n) of @override is drawn for each request; no other label is ever set',
  response_cache: 'answers may be cached by their Cache-Control, in front of the gateway',
  rhai: 'there are no scripts; header rules are under headers, the rest belongs in a proxy',
  server: 'the limits of requests are under limits',
  subscription: 'poll, or have the client subscribe to a service of its own',
  'supergraph.defer_support': '@defer is refused; ask in two operations',
  'supergraph.enable_result_coercion_errors': 'a value of the wrong type is null with an error, always',
  'supergraph.query_planning.cache.redis':
    'each replica plans for itself; the manifest is planned before the first request',
  'supergraph.redact_query_validation_errors': 'messages suggest no names, always',
  'supergraph.strict_variable_validation': 'variables are checked strictly, always',
  'telemetry.exporters.tracing.common.preview_datadog_agent_sampling':
    'spans hold what the gateway puts there, which is bounded',
  'telemetry.exporters.tracing.common.service_namespace':
    'spans hold what the gateway puts there, which is bounded',
  'telemetry.exporters.tracing.datadog': 'send OTLP to a collector, which speaks it',
  'telemetry.exporters.tracing.experimental_response_trace_id':
    'the trace is in the header field apollo-trace-id, always, as 32 hexadecimal digits',
  'telemetry.exporters.tracing.otlp.batch_processor.max_concurrent_exports':
    'spans are sent as OTLP over HTTP, in the clear to a collector beside the gateway, or to https://',
  'telemetry.exporters.tracing.otlp.grpc':
    'spans are sent as OTLP over HTTP, in the clear to a collector beside the gateway, or to https://',
  'telemetry.exporters.tracing.otlp.http.tls':
    'spans are sent as OTLP over HTTP, in the clear to a collector beside the gateway, or to https://',
  'telemetry.exporters.tracing.otlp.temporality':
    'spans are sent as OTLP over HTTP, in the clear to a collector beside the gateway, or to https://',
  'telemetry.exporters.tracing.propagation.aws_xray': 'traceparent (trace_context) is what is continued',
  'telemetry.exporters.tracing.propagation.baggage': 'traceparent (trace_context) is what is continued',
  'telemetry.exporters.tracing.propagation.datadog': 'traceparent (trace_context) is what is continued',
  'telemetry.exporters.tracing.propagation.jaeger': 'traceparent (trace_context) is what is continued',
  'telemetry.exporters.tracing.propagation.request': 'traceparent (trace_context) is what is continued',
  'telemetry.exporters.tracing.propagation.zipkin': 'traceparent (trace_context) is what is continued',
  'telemetry.exporters.tracing.zipkin': 'send OTLP to a collector, which speaks it',
  'telemetry.instrumentation.events': 'every request has its line in the log',
  'telemetry.instrumentation.instruments': 'the metrics are fixed: see /metrics',
  'telemetry.instrumentation.spans.connector': 'connectors are not run',
  'telemetry.instrumentation.spans.default_attribute_requirement_level':
    'spans have the names and attributes of Apollo Router’s defaults',
  'telemetry.instrumentation.spans.http_client':
    'spans have the names and attributes of Apollo Router’s defaults',
  'telemetry.instrumentation.spans.router': 'spans have the names and attributes of Apollo Router’s defaults',
  'telemetry.instrumentation.spans.subgraph':
    'spans have the names and attributes of Apollo Router’s defaults',
  'telemetry.instrumentation.spans.supergraph':
    'spans have the names and attributes of Apollo Router’s defaults',
  tls: 'TLS ends at the load balancer; to subgraphs, use https:// URLs and NODE_EXTRA_CA_CERTS',
  'traffic_shaping.all.compression': 'requests to subgraphs are not compressed',
  'traffic_shaping.all.experimental_http2_keep_alive_interval':
    'a connection that does not answer is ended by the timeout of its requests',
  'traffic_shaping.all.experimental_http2_keep_alive_timeout':
    'a connection that does not answer is ended by the timeout of its requests',
  'traffic_shaping.all.global_rate_limit':
    'the throttle is in front: traffic_shaping.router.global_rate_limit, meridian.throttle.tenant',
  'traffic_shaping.connector': 'connectors are not run',
  'traffic_shaping.subgraphs.*.compression': 'requests to subgraphs are not compressed',
  'traffic_shaping.subgraphs.*.experimental_http2_keep_alive_interval':
    'a connection that does not answer is ended by the timeout of its requests',
  'traffic_shaping.subgraphs.*.experimental_http2_keep_alive_timeout':
    'a connection that does not answer is ended by the timeout of its requests',
  'traffic_shaping.subgraphs.*.global_rate_limit':
    'the throttle is in front: traffic_shaping.router.global_rate_limit, meridian.throttle.tenant',
};

const passedOver: Readonly<Record<string, string>> = {
  'authentication.router.jwt.jwks[].poll_interval':
    'keys in use are fetched again after a minute, and when an unknown one is named',
  expose_query_plan: 'pnpm explain shows the plan of a request, to operators alone',
  enhanced_client_awareness: 'extensions.clientLibrary is ignored, whatever this says',
  fleet_detector: 'nothing is reported to Apollo',
  'headers.all.request.masking': 'neither the log nor a span holds header fields',
  'headers.all.response': 'only masking is configured there; neither the log nor a span holds header fields',
  'headers.subgraphs.*.request.masking': 'neither the log nor a span holds header fields',
  'headers.subgraphs.*.response':
    'only masking is configured there; neither the log nor a span holds header fields',
  'health_check.readiness': '/readyz of the admin listener answers at once with what is',
  homepage: 'there is no landing page; in development there is an explorer at /explorer (sandbox.enabled)',
  license_enforcement: 'there is no licence to enforce',
  reload: 'the supergraph, the configuration and the manifest are read again whenever their files change',
  'supergraph.connection_shutdown_timeout': 'SHUTDOWN_GRACE_MS bounds the end of the process',
  'supergraph.early_cancel': 'always on: what a client no longer waits for is cancelled',
  'supergraph.experimental_log_on_broken_pipe': 'a client that goes away is always in the log',
  'supergraph.generate_query_fragments': 'fetches are sent as they are planned',
  'supergraph.query_planning.experimental_cooperative_cancellation':
    'planning is bound by the limits on operations',
  'supergraph.query_planning.experimental_paths_limit': 'planning is bound by the limits on operations',
  'supergraph.query_planning.experimental_plans_limit': 'planning is bound by the limits on operations',
  'supergraph.query_planning.experimental_reuse_query_plans': 'plans of a new supergraph are made anew',
  'telemetry.apollo': 'nothing is sent to Apollo; field usage is recorded in PostgreSQL (meridian.usage)',
  'telemetry.exporters.logging': 'the log is lines of JSON on standard output',
  'telemetry.exporters.metrics': 'Prometheus metrics are at /metrics of the admin listener, always',
  'telemetry.exporters.tracing.common.max_attributes_per_event':
    'spans hold what the gateway puts there, which is bounded',
  'telemetry.exporters.tracing.common.max_attributes_per_link':
    'spans hold what the gateway puts there, which is bounded',
  'telemetry.exporters.tracing.common.max_attributes_per_span':
    'spans hold what the gateway puts there, which is bounded',
  'telemetry.exporters.tracing.common.max_events_per_span':
    'spans hold what the gateway puts there, which is bounded',
  'telemetry.exporters.tracing.common.max_links_per_span':
    'spans hold what the gateway puts there, which is bounded',
  'traffic_shaping.all.dns_resolution_strategy': 'names are resolved as Node does',
  'traffic_shaping.all.pool_idle_timeout': 'idle connections to subgraphs are closed after a few seconds',
  'traffic_shaping.subgraphs.*.dns_resolution_strategy': 'names are resolved as Node does',
  'traffic_shaping.subgraphs.*.pool_idle_timeout':
    'idle connections to subgraphs are closed after a few seconds',
};

/** Keys of Apollo Router 1 that Router 2 has dropped: its upgrade takes them out. */
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

/** Values by which keys that are not supported ask for what the gateway does anyway. */
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
  'supergraph.defer_support': false,
  'supergraph.enable_result_coercion_errors': true,
  'supergraph.redact_query_validation_errors': true,
  'supergraph.strict_variable_validation': 'enforce',
  'telemetry.exporters.tracing.propagation.aws_xray': false,
  'telemetry.exporters.tracing.propagation.baggage': false,
  'telemetry.exporters.tracing.propagation.datadog': false,
  'telemetry.exporters.tracing.propagation.jaeger': false,
  'telemetry.exporters.tracing.propagation.zipkin': false,
  'traffic_shaping.all.compression': 'identity',
  'traffic_shaping.subgraphs.*.compression': 'identity',
};

interface AnsweredElsewhere {
  /** True when a value asks for nothing else. */
  readonly isAsked: (value: unknown) => boolean;
  /** Where it is; the end of a sentence. */
  readonly reason: string;
}

/** Unsupported keys whose purpose another key serves. */
const answeredElsewhere: Readonly<Record<string, AnsweredElsewhere>> = {
  plugins: {
    isAsked: (value) => keysAreAmong(value, ['experimental.expose_query_plan']),
    reason: 'pnpm explain shows the plan of a request, to operators alone',
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

const nothingAsked: RouterOnlyKey = { passedOver: 'it asks for what the gateway does anyway' };

/**
 * The treatment of a key that only Apollo Router has; undefined for a key that Router does not have either. A
 * feature that is off is not missed.
 *
 * @param path `*` is a name that the operator chooses, `[]` an item of a list
 */
export function routerOnlyKey(path: string, value: unknown): RouterOnlyKey | undefined {
  const found = routerOnlyKeys.get(path);
  if (found === undefined || 'passedOver' in found) {
    return found;
  }
  if (isAsHere(path, value)) {
    return nothingAsked;
  }
  const elsewhere = answeredElsewhere[path];
  return elsewhere?.isAsked(value) ? { passedOver: elsewhere.reason } : found;
}

function isAsHere(path: string, value: unknown): boolean {
  const same = typeof value === 'string' ? value.toLowerCase() : value;
  return value === null || isOff(value) || (path in asHere && asHere[path] === same);
}

/** True when a section is off, or all sections in it are: `{ all: { enabled: false } }`. */
function isOff(value: unknown): boolean {
  return isMapping(value) && (value['enabled'] === false || Object.values(value).every(isOff));
}

/** The keys of Apollo Router that this gateway does not have, by their paths. */
export const routerOnlyKeys: ReadonlyMap<string, RouterOnlyKey> = new Map<string, RouterOnlyKey>([
  ...Object.entries(unsupported).map(([path, instead]) => [path, { instead }] as const),
  ...Object.entries(passedOver).map(([path, reason]) => [path, { passedOver: reason }] as const),
  ...droppedByRouter.map((path) => [path, { passedOver: 'Apollo Router 2 has dropped it' }] as const),
]);
