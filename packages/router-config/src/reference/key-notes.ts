// Long because it is data: a sentence on each key, for the reference page, the JSON Schema and `pnpm router-config
// check`. A test fails for a key without a note, and for a note without a key.

export interface KeyNote {
  /** A sentence without its full stop. */
  readonly does: string;
  /** Apollo Router needs a GraphOS plan for it. */
  readonly isPaidInRouter?: true;
  /** When the value has no effect. */
  readonly hasNoEffect?: 'always' | 'production';
}

const paid = (does: string): KeyNote => ({ does, isPaidInRouter: true });

/** By the path of the key; `*` is a name that the operator chooses, `[]` an item of a list. */
const notes: Readonly<Record<string, KeyNote | string>> = {
  'apq.enabled':
    'Lets clients store operations under their hash (APQ). Default: on, unless a safelist is on, which excludes it',
  'apq.router.cache.in_memory.limit': 'The number of automatic persisted queries in memory',
  'apq.router.cache.redis.urls': paid(
    'The Redis or Valkey in which replicas share automatic persisted queries',
  ),
  'apq.router.cache.redis.ttl': paid('The time that operations stay there'),
  'apq.router.cache.redis.timeout': paid('The longest wait for Redis before a request continues without it'),
  'apq.router.cache.redis.namespace': paid('The prefix of their keys in Redis'),
  'authentication.router.jwt.jwks': paid('The key sets whose tokens are accepted'),
  'authentication.router.jwt.jwks[].url': paid(
    'The URL of a key set: https://, file://, http:// to a host in meridian.authentication.plain_http_hosts, and in development also http:// on loopback',
  ),
  'authentication.router.jwt.jwks[].issuers': paid(
    'The issuers whose tokens these keys sign. Default: JWT_ISSUER, else every issuer, and tokens without one',
  ),
  'authentication.router.jwt.jwks[].audiences': paid(
    'The accepted audiences: a token needs one of them. Default: JWT_AUDIENCE, else every audience',
  ),
  'authentication.router.jwt.jwks[].algorithms': paid(
    'The algorithms that these keys may sign with. Default: RS256, PS256, ES256 and EdDSA; no others are accepted',
  ),
  'authorization.require_authentication': 'Rejects requests without a token',
  'authorization.directives.enabled': paid('Enforces @authenticated, @requiresScopes and @policy'),
  'cors.allow_any_origin': 'Lets pages of every origin read responses',
  'cors.allow_credentials': 'Lets pages send credentials',
  'cors.allow_headers': 'The header fields that pages may send. Default: any that they request',
  'cors.expose_headers': 'The header fields of the response that pages may read',
  'cors.methods': 'The methods that pages may use',
  'cors.max_age': 'The time that browsers may cache preflight responses',
  'cors.policies': 'Rules for pages of some origins; the first matching policy applies',
  'cors.policies[].origins': 'The origins, exactly',
  'cors.policies[].match_origins': 'The origins, as regular expressions',
  'cors.policies[].allow_credentials': 'Lets these pages send credentials. Default: as for all',
  'cors.policies[].allow_headers': 'The header fields that these pages may send. Default: as for all',
  'cors.policies[].expose_headers':
    'The header fields of the response that these pages may read. Default: as for all',
  'cors.policies[].methods': 'The methods that these pages may use. Default: as for all',
  'cors.policies[].max_age':
    'The time that browsers may cache preflight responses for these pages. Default: as for all',
  'csrf.unsafe_disabled': 'Disables the protection against cross-site requests',
  'csrf.required_headers':
    'A request with any of these header fields passes the protection, and so does one with a `Content-Type` of JSON',
  'demand_control.enabled': paid('Limits the cost of an operation'),
  'demand_control.mode': paid('measure runs an operation over the limit, and logs it'),
  'demand_control.strategy.static_estimated.list_size': paid(
    'The assumed length of a list without other information',
  ),
  'demand_control.strategy.static_estimated.max': paid(
    'The highest cost of an operation. The selections of `@requires` count too, as in Router',
  ),
  'headers.all.request.operations':
    'Rules for passing the client’s header fields to subgraphs, in order. Default: no field is passed on',
  'headers.all.request.operations[].propagate.named': 'A header field to pass on',
  'headers.all.request.operations[].propagate.matching':
    'A regular expression: every match is passed on, except Host, Accept and the header fields of a message or a connection',
  'headers.all.request.operations[].propagate.rename': 'The name to pass it on under; goes with named',
  'headers.all.request.operations[].propagate.default':
    'The value when the client sent none; goes with named',
  'headers.all.request.operations[].insert.name':
    'A header field to add, other than those for framing and encoding, such as Content-Type',
  'headers.all.request.operations[].insert.value': 'A fixed value for it',
  'headers.all.request.operations[].insert.from_context':
    'A property of the request as the value, or of its caller (meridian::…). An unknown value, or one outside printable ASCII, is not added. Nor are the claims of a token, which are an object, as in Apollo Router',
  'headers.all.request.operations[].insert.path':
    'The path of its value in the client’s body, such as $.variables.id: names, indexes and *. Values other than strings are written as JSON, several values as a list. Values that are longer than 8 KiB or outside printable ASCII are not added',
  'headers.all.request.operations[].insert.default': 'The value when there is none at path',
  'headers.all.request.operations[].remove.named': 'A header field to remove',
  'headers.all.request.operations[].remove.matching':
    'A regular expression: every match is removed, with the same exceptions as propagate.matching',
  'health_check.enabled': 'Serves a health check on the admin listener',
  'health_check.listen':
    'The address of the admin listener; ADMIN_HOST and ADMIN_PORT take precedence. Where it is the address of `supergraph.listen`, only the health check is served there, and the admin listener has its default address',
  'health_check.path': 'The path of the health check, in addition to /livez, /readyz and /metrics',
  'include_subgraph_errors.all':
    'Shows clients the errors of subgraphs unchanged; in development they are always shown',
  'include_subgraph_errors.all.redact_message': 'Replaces the message by a fixed one',
  'include_subgraph_errors.all.allow_extensions_keys': 'The only members of extensions that are shown',
  'include_subgraph_errors.all.deny_extensions_keys': 'The members of extensions that are not shown',
  'include_subgraph_errors.subgraphs': 'The same for single subgraphs',
  'include_subgraph_errors.subgraphs.*': 'The same for this subgraph: true, false, or its changes',
  'include_subgraph_errors.subgraphs.*.redact_message': 'Default: as for all',
  'include_subgraph_errors.subgraphs.*.allow_extensions_keys':
    'Added to the list for all; replaces a list of the other kind',
  'include_subgraph_errors.subgraphs.*.deny_extensions_keys':
    'Added to the list for all; replaces a list of the other kind',
  'include_subgraph_errors.subgraphs.*.exclude_global_keys':
    'Members of the list for all that do not count for this subgraph',
  'limits.max_depth': paid('The most fields on a path, including the leaf'),
  'limits.max_height': paid(
    'The most fields in all selection sets together. Fields of one name in one set count once; a fragment’s fields count at each spread',
  ),
  'limits.max_aliases': paid('The most aliases; a fragment’s aliases count at each spread'),
  'limits.max_root_fields': paid('The most root fields; a fragment’s root fields count at each spread'),
  'limits.parser_max_tokens':
    'The most tokens of an operation, counted before parsing; each line of a block string counts as one',
  'limits.parser_max_recursion': 'The deepest nesting of brackets',
  'limits.http_max_request_bytes': 'The longest request body',
  'limits.subgraph.all.http_max_response_size': 'The longest response of a subgraph',
  'limits.subgraph.subgraphs.*.http_max_response_size': 'The same for this subgraph',
  override_subgraph_url: 'The URLs of subgraphs, in place of those in the supergraph',
  'override_subgraph_url.*': 'The URL of this subgraph',
  'persisted_queries.enabled': paid('Lets requests name operations by identifiers of a manifest'),
  'persisted_queries.log_unknown': paid('Logs operations that are not in the manifest'),
  'persisted_queries.safelist.enabled': paid('Runs operations of the manifest only'),
  'persisted_queries.safelist.require_id': paid('Requires the identifier in a request, and rejects texts'),
  'persisted_queries.local_manifests': paid(
    'Manifest files, folders of them (*.json) and globs, in the formats of Apollo, Relay, graphql-codegen and Apollo Kotlin; they replace Apollo’s registry. Default: persisted-queries.json, which is always reloaded when it changes',
  ),
  'persisted_queries.hot_reload': paid('Reloads local_manifests when they change'),
  'persisted_queries.experimental_prewarm_query_plan_cache.on_startup': paid(
    'Plans operations of the manifest: the first 200 before the gateway listens, the others beside requests',
  ),
  'persisted_queries.experimental_prewarm_query_plan_cache.on_reload': paid(
    'Plans them when the supergraph or the manifest changes',
  ),
  'sandbox.enabled': {
    does: 'In development, an explorer at /explorer: GraphiQL in place of Apollo’s Sandbox',
    hasNoEffect: 'production',
  },
  'supergraph.listen': 'The address to listen on; HOST and PORT take precedence',
  'supergraph.path': 'The path of the graph endpoint. Default: both / and /graphql',
  'supergraph.introspection':
    'Allows introspection; in production the start warns of it, unless meridian.public_schema is set',
  'supergraph.query_planning.cache.in_memory.limit':
    'The most compiled operations in memory, of 128 KiB each on average',
  'supergraph.query_planning.cache.redis.urls': paid(
    'The Redis or Valkey that keeps query plans for all replicas and for later starts. A client that can write there decides what subgraphs are asked',
  ),
  'supergraph.query_planning.cache.redis.username': paid(
    'The user; takes precedence over the one in the URL',
  ),
  'supergraph.query_planning.cache.redis.password': paid(
    'The password; takes precedence over the one in the URL',
  ),
  'supergraph.query_planning.cache.redis.timeout': paid(
    'The longest wait for Redis before the operation is planned without it',
  ),
  'supergraph.query_planning.cache.redis.ttl': paid('The time that plans stay there'),
  'supergraph.query_planning.cache.redis.reset_ttl': paid('Each use of a plan begins that time anew'),
  'supergraph.query_planning.cache.redis.namespace': paid('The prefix of their keys in Redis'),
  'supergraph.query_planning.cache.redis.required_to_start': paid(
    'The gateway does not start without this Redis. Later it always continues without',
  ),
  'supergraph.query_planning.warmed_up_queries':
    'The number of recently used operations that are planned before a new supergraph takes over',
  'telemetry.exporters.metrics.prometheus.enabled':
    'Opens the address of listen. The admin listener has the metrics in any case',
  'telemetry.exporters.metrics.prometheus.listen': 'One more address for scrapes. Default: none',
  'telemetry.exporters.metrics.prometheus.path': 'The path of the metrics there',
  'telemetry.exporters.tracing.common.service_name': 'The name of the service in traces',
  'telemetry.exporters.tracing.common.resource': 'Further attributes of the service in traces',
  'telemetry.exporters.tracing.common.resource.*': 'The value of this attribute',
  'telemetry.exporters.tracing.common.sampler': 'The traces to record: all, none, or this share of them',
  'telemetry.exporters.tracing.common.parent_based_sampler': 'Follows the decision of a client’s trace',
  'telemetry.exporters.tracing.otlp.enabled': 'Sends spans to an OTLP collector',
  'telemetry.exporters.tracing.otlp.endpoint': 'The collector',
  'telemetry.exporters.tracing.otlp.protocol': 'Must be http when traces are exported',
  'telemetry.exporters.tracing.otlp.http.headers': 'Header fields for the collector',
  'telemetry.exporters.tracing.otlp.http.headers.*': 'The value of this header field',
  'telemetry.exporters.tracing.otlp.batch_processor.scheduled_delay':
    'The delay before collected spans are sent',
  'telemetry.exporters.tracing.otlp.batch_processor.max_queue_size':
    'The most spans that may wait; further ones are dropped',
  'telemetry.exporters.tracing.otlp.batch_processor.max_export_batch_size': 'The most spans in one export',
  'telemetry.exporters.tracing.otlp.batch_processor.max_export_timeout': 'The longest time for one export',
  'telemetry.exporters.tracing.propagation.trace_context':
    'Continues a client’s traceparent, and sends one to subgraphs',
  'telemetry.instrumentation.spans.mode':
    'The names and attributes of spans; there is one span for each subgraph fetch',
  'traffic_shaping.deduplicate_variables': {
    does: 'Always on, as in Apollo Router: equal representations are fetched once',
    hasNoEffect: 'always',
  },
  'traffic_shaping.router.timeout': 'The time for a whole request',
  'traffic_shaping.router.global_rate_limit.capacity':
    'The most requests in an interval, or the most cost if meridian.throttle.unit is cost',
  'traffic_shaping.router.global_rate_limit.interval': 'The interval',
  'traffic_shaping.router.concurrency_limit': 'The most requests under way; further ones get 503',
  'traffic_shaping.all.timeout': 'The time for one request to a subgraph: connecting, head and body together',
  'traffic_shaping.all.deduplicate_query': 'Sends one subrequest for equal ones that are in flight',
  'traffic_shaping.all.experimental_http2':
    'enable uses HTTP/2 with subgraphs that offer it over TLS; http2only uses nothing else, also without TLS',
  'traffic_shaping.subgraphs.*.timeout': 'The same for this subgraph',
  'traffic_shaping.subgraphs.*.deduplicate_query': 'The same for this subgraph',
  'traffic_shaping.subgraphs.*.experimental_http2': 'The same for this subgraph',
  'meridian.executor':
    'The executor: `compiled`; `reference`, the same without its fast path; or `apollo`, stock @apollo/gateway',
  'meridian.deduplicate_requests':
    'Runs one query for equal ones of one caller that are in flight. Equal means equal in everything that authorization depends on. Default: `true`, unless a `deduplicate_query` is `false`',
  'meridian.unsupported_keys':
    'warn ignores keys that only Apollo Router has, for a trial with your own file. Keys that limit callers or protect what is sent still stop the start; in production, so do coprocessor, plugins and rhai',
  'meridian.operations.require_name': 'Rejects operations without a name',
  'meridian.breaking_supergraph':
    'What happens to a supergraph over which an operation of the manifest is no longer valid. `warn`: it is taken, with a log line for each operation, and `meridian_manifest_unrunnable_operations` counts them. `reject`: the previous supergraph stays, or the start fails. Only an operation that was valid before counts at a reload, so that a manifest may be published before its supergraph',
  'meridian.public_schema':
    'Says that the schema is public, so that the start does not warn of supergraph.introspection in production',
  'meridian.limits.introspection_max_depth': 'The deepest operation that selects only the schema',
  'meridian.limits.max_document_length': 'The most characters of a document, checked before its tokens',
  'meridian.limits.max_operations': 'The most operations of a document; only the one to run is processed',
  'meridian.limits.max_fragments': 'The most fragments of a document',
  'meridian.limits.max_selections': 'The most selections of a selection set, without repeated leaves',
  'meridian.limits.json_max_depth': 'The deepest nesting of arrays and objects in the JSON of a request',
  'meridian.limits.json_max_values':
    'The most values in the JSON of a request: members of objects and items of arrays, counted before parsing',
  'meridian.limits.subgraph.json_max_depth':
    "The deepest nesting in the JSON of a subgraph's response. These three are counted before a response is parsed: one that has errors, or is written in an unusual form. One over a limit becomes an error on its fields",
  'meridian.limits.subgraph.json_max_values': 'The most values in such a response',
  'meridian.limits.subgraph.json_max_names': 'The most different names of members in such a response',
  'meridian.compression.enabled':
    'Compresses responses to queries (zstd, br or gzip) for clients that accept it; turn it off if the load balancer compresses',
  'meridian.compression.min_size': 'The shortest response that is compressed',
  'meridian.authentication.tenant_claim':
    'The claim that names a caller’s tenant, which a token then needs. Default: all callers of an issuer are one tenant',
  'meridian.authentication.required_claims':
    'The claims that a token needs, besides exp, and iss and aud where these are compared. Callers without sub share nothing with each other',
  'meridian.authentication.tenants': 'The tenants that an issuer may name, by issuer. Default: any',
  'meridian.authentication.tenants.*': 'The tenants that this issuer may name',
  'meridian.authentication.plain_http_hosts':
    'The hosts whose key sets may be fetched over http://. An attacker who can change that traffic can sign tokens of every tenant, so name only hosts that a mesh encrypts traffic to',
  'meridian.plan_cache.path':
    'A directory that keeps query plans for later starts and for other gateways of this machine. A client that can write there decides what subgraphs are asked. It is looked in before the Redis of supergraph.query_planning.cache.redis',
  'meridian.plan_cache.max_bytes':
    'The most bytes on disk; plans that were not used for the longest time are removed first',
  'meridian.throttle.unit':
    'The unit of rate limits: requests, as in Apollo Router, or the cost of their operations',
  'meridian.throttle.tenant.capacity': 'The most that one tenant may use in an interval',
  'meridian.throttle.tenant.interval': 'The interval',
  'meridian.throttle.local_share':
    'The share of a limit that each replica grants while Redis does not respond',
  'meridian.explain.enabled':
    'Keeps explanations of recent requests. Default: on in development if there is a secret',
  'meridian.explain.secret': 'The secret that a request for an explanation must carry',
  'meridian.explain.max_bytes': 'The memory for explanations',
  'meridian.usage.enabled': 'Records the use of fields, by operation and client; needs DATABASE_URL',
  'meridian.usage.flush_interval': 'The time between writes',
  'meridian.usage.max_counts': 'The most counts that may wait to be written',
  'meridian.usage.retention_days': 'The retention in days',
  'meridian.cost.measure_every': 'Measures the actual cost of one response in this many',
  'meridian.overload.max_body_bytes':
    'More bytes of request bodies under way answer 503; a tenant below its equal share still gets in',
  'meridian.overload.max_event_loop_delay': 'A process whose event loop is delayed by this much answers 503',
  'meridian.authorization.policies_claim':
    'The claim of a token that lists its caller’s policies (@policy). Default: policies',
  'meridian.errors.allowed_codes':
    'The codes that clients see in masked errors of subgraphs; any other becomes INTERNAL_SERVER_ERROR',
};

/** The note on a key. A note on all subgraphs also applies to a single one. */
export function keyNote(path: string): KeyNote | undefined {
  const note = notes[path] ?? notes[path.replace(/^headers\.subgraphs\.\*/, 'headers.all')];
  return typeof note === 'string' ? { does: note } : note;
}

/** The paths with their own note. */
export const notedPaths: readonly string[] = Object.keys(notes);
