// Long because it is data: what each key does, in a sentence. The reference page, the descriptions in the JSON Schema and
// `pnpm router-config check` say it. A test fails for a key of the schema that has no note here, and for a note of no key.

export interface KeyNote {
  /** A sentence without its full stop. */
  readonly does: string;
  /** Apollo Router takes a GraphOS plan for it. */
  readonly isPaidInRouter?: true;
  /** When the gateway reads it and does the same whatever it says. */
  readonly hasNoEffect?: 'always' | 'production';
}

const paid = (does: string): KeyNote => ({ does, isPaidInRouter: true });

/** By the path of the key; `*` is a name that the operator chooses, `[]` an item of a list. */
const notes: Readonly<Record<string, KeyNote | string>> = {
  'apq.enabled':
    'Whether clients may register operations by their hash; on unless a safelist is, which excludes it',
  'apq.router.cache.in_memory.limit': 'How many of those are kept in memory',
  'apq.router.cache.redis.urls': paid('Where replicas share them: Redis or Valkey'),
  'apq.router.cache.redis.ttl': paid('How long they stay there'),
  'apq.router.cache.redis.timeout': paid('How long Redis may take before a request goes on without it'),
  'apq.router.cache.redis.namespace': paid('What their names in Redis begin with'),
  'authentication.router.jwt.jwks': paid('The key sets whose tokens are taken'),
  'authentication.router.jwt.jwks[].url': paid(
    'Where a key set is: https://, http:// to a host of meridian.authentication.plain_http_hosts, and in development also file:// or http:// on loopback',
  ),
  'authentication.router.jwt.jwks[].issuers': paid(
    'The issuers whose tokens these keys sign; absent, JWT_ISSUER, or every issuer where that is not set either. A token has to name its issuer always: it is half of a caller',
  ),
  'authentication.router.jwt.jwks[].audiences': paid(
    'The one audience that a token may be for; absent, JWT_AUDIENCE, or meridian',
  ),
  'authorization.require_authentication': 'Whether a request without a token is refused',
  'authorization.directives.enabled': paid('Whether @authenticated, @requiresScopes and @policy hold'),
  'cors.allow_any_origin': 'Whether pages of every origin may read the answers',
  'cors.allow_credentials': 'Whether they may send credentials',
  'cors.allow_headers': 'The header fields that they may send; none here: those that they ask for',
  'cors.expose_headers': 'The header fields of the answer that they may read',
  'cors.methods': 'The methods that they may use',
  'cors.max_age': 'How long a browser may keep the answer to its question',
  'cors.policies': 'What pages of some origins may do; the first policy that fits counts',
  'cors.policies[].origins': 'The origins, as they are',
  'cors.policies[].match_origins': 'The origins, as regular expressions',
  'cors.policies[].allow_credentials': 'Whether these may send credentials; absent, as for all',
  'cors.policies[].allow_headers': 'The header fields that these may send; absent, as for all',
  'cors.policies[].expose_headers': 'The header fields of the answer that these may read; absent, as for all',
  'cors.policies[].methods': 'The methods that these may use; absent, as for all',
  'cors.policies[].max_age': 'How long a browser may keep the answer for these; absent, as for all',
  'csrf.unsafe_disabled': 'Takes down the wall against requests that a foreign page makes a browser send',
  'csrf.required_headers': 'A request passes the wall with any of these header fields',
  'demand_control.enabled': paid('Whether the cost of an operation is bounded'),
  'demand_control.mode': paid('measure lets an operation over the bound run, and writes it to the log'),
  'demand_control.strategy.static_estimated.list_size': paid(
    'The length of a list that says nothing about its length',
  ),
  'demand_control.strategy.static_estimated.max': paid(
    'The most that one operation may cost. What the `@requires` of a field names is counted too, as in Router',
  ),
  'headers.all.request.operations':
    'What becomes of the client’s header fields on the way to subgraphs, rule after rule; without a rule none is passed on',
  'headers.all.request.operations[].propagate.named': 'A header field to pass on',
  'headers.all.request.operations[].propagate.matching':
    'A regular expression: every match is passed on, but for what belongs to a message or a connection, Host and Accept',
  'headers.all.request.operations[].propagate.rename': 'The name to pass it on under; goes with named',
  'headers.all.request.operations[].propagate.default':
    'The value where the client sent none; goes with named',
  'headers.all.request.operations[].insert.name':
    'A header field to add; what frames and encodes a message is the gateway’s to say, such as Content-Type',
  'headers.all.request.operations[].insert.value': 'A fixed value for it',
  'headers.all.request.operations[].insert.from_context':
    'What is known of the request, or under meridian:: of its caller, for its value; nothing is added where it is not known, or is no printable ASCII. The claims of a token are an object, of which nothing is added, as in Apollo Router',
  'headers.all.request.operations[].insert.path':
    'Where its value is in the body that the client sent, such as $.variables.id: names, indexes and *. What is no text is written as JSON, several values as a list; nothing is added for what is no printable ASCII, or longer than 8 KiB',
  'headers.all.request.operations[].insert.default': 'The value where there is none at path',
  'headers.all.request.operations[].remove.named': 'A header field to leave out',
  'headers.all.request.operations[].remove.matching':
    'A regular expression: every match is left out, but for what matching passes over',
  'health_check.enabled': 'Whether there is a health check, on the admin listener',
  'health_check.listen': 'Where the admin listener listens; ADMIN_HOST and ADMIN_PORT win',
  'health_check.path': 'The path of the health check, beside /livez, /readyz and /metrics',
  'include_subgraph_errors.all':
    'Whether clients get the errors of subgraphs as they were written; in development they always do',
  'include_subgraph_errors.all.redact_message': 'Whether the message is replaced by a fixed one',
  'include_subgraph_errors.all.allow_extensions_keys': 'The only members of extensions that are shown',
  'include_subgraph_errors.all.deny_extensions_keys': 'The members of extensions that are not shown',
  'include_subgraph_errors.subgraphs': 'The same for single subgraphs',
  'include_subgraph_errors.subgraphs.*': 'The same for this subgraph: true, false, or what it changes',
  'include_subgraph_errors.subgraphs.*.redact_message': 'Absent, as for all',
  'include_subgraph_errors.subgraphs.*.allow_extensions_keys':
    'Added to the list for all; in place of a list of the other kind',
  'include_subgraph_errors.subgraphs.*.deny_extensions_keys':
    'Added to the list for all; in place of a list of the other kind',
  'include_subgraph_errors.subgraphs.*.exclude_global_keys':
    'Members of the list for all that do not count for this subgraph',
  'limits.max_depth': paid('The most fields along a path, the leaf included'),
  'limits.max_height': paid(
    'The most fields of all selection sets; those of one name in one set count once, and a fragment’s at each spread',
  ),
  'limits.max_aliases': paid('The most aliases; those of a fragment count at each spread'),
  'limits.max_root_fields': paid('The most root fields; those of a fragment count at each spread'),
  'limits.parser_max_tokens': 'The most tokens of an operation, counted before anything reads it',
  'limits.parser_max_recursion': 'The most brackets that may stand open at once',
  'limits.http_max_request_bytes': 'The longest body',
  'limits.subgraph.all.http_max_response_size': 'The longest response of a subgraph that is read',
  'limits.subgraph.subgraphs.*.http_max_response_size': 'The same for this subgraph',
  override_subgraph_url: 'Where subgraphs are, when not where the supergraph says',
  'override_subgraph_url.*': 'Where this subgraph is',
  'persisted_queries.enabled': paid('Whether operations may be named by identifiers of a manifest'),
  'persisted_queries.log_unknown': paid(
    'Whether operations that are not in the manifest are written to the log',
  ),
  'persisted_queries.safelist.enabled': paid('Whether only operations of the manifest run'),
  'persisted_queries.safelist.require_id': paid(
    'Whether a request has to carry the identifier, never the text',
  ),
  'persisted_queries.local_manifests': paid(
    'Manifest files, folders of them (*.json) and globs, in Apollo’s format, Relay’s, graphql-codegen’s or Apollo Kotlin’s; absent, persisted-queries.json, which takes the place of Apollo’s registry and is read again when it changes',
  ),
  'persisted_queries.hot_reload': paid('Whether local_manifests are read again when they change'),
  'persisted_queries.experimental_prewarm_query_plan_cache.on_startup': paid(
    'Whether the operations of the manifest are planned before the gateway listens',
  ),
  'persisted_queries.experimental_prewarm_query_plan_cache.on_reload': paid(
    'Whether they are planned when the supergraph or the manifest changes',
  ),
  'sandbox.enabled': {
    does: 'In development, an explorer at /explorer: GraphiQL in place of Apollo’s Sandbox',
    hasNoEffect: 'production',
  },
  'supergraph.listen': 'Where to listen; HOST and PORT win',
  'supergraph.path': 'The path of the graph endpoint; absent, / and /graphql answer',
  'supergraph.introspection':
    'Whether the schema may be asked for; in production the start warns of it, unless meridian.public_schema is set',
  'supergraph.query_planning.cache.in_memory.limit':
    'How many compiled operations are kept, within 128 KiB for each on the average',
  'supergraph.query_planning.warmed_up_queries':
    'How many of the operations in use are planned for a new supergraph before it takes over',
  'telemetry.exporters.tracing.common.service_name': 'What the service is called in traces',
  'telemetry.exporters.tracing.common.resource': 'Further attributes of the service in traces',
  'telemetry.exporters.tracing.common.resource.*': 'The value of this attribute',
  'telemetry.exporters.tracing.common.sampler': 'Which traces are recorded: all, none, or this share of them',
  'telemetry.exporters.tracing.common.parent_based_sampler':
    'Whether the decision of the client’s trace counts',
  'telemetry.exporters.tracing.otlp.enabled': 'Whether spans are sent to an OTLP collector',
  'telemetry.exporters.tracing.otlp.endpoint': 'The collector',
  'telemetry.exporters.tracing.otlp.protocol': 'Has to be http where traces are exported',
  'telemetry.exporters.tracing.otlp.http.headers': 'Header fields for the collector',
  'telemetry.exporters.tracing.otlp.http.headers.*': 'The value of this header field',
  'telemetry.exporters.tracing.otlp.batch_processor.scheduled_delay':
    'How long spans are collected before they are sent',
  'telemetry.exporters.tracing.otlp.batch_processor.max_queue_size':
    'How many spans may wait; further ones are dropped',
  'telemetry.exporters.tracing.otlp.batch_processor.max_export_batch_size': 'How many spans are sent at once',
  'telemetry.exporters.tracing.otlp.batch_processor.max_export_timeout': 'How long sending may take',
  'telemetry.exporters.tracing.propagation.trace_context':
    'Whether a client’s traceparent is continued, and one is sent to the subgraphs',
  'telemetry.instrumentation.spans.mode':
    'The names and attributes of spans; there is one span for each subgraph fetch',
  'traffic_shaping.deduplicate_variables': {
    does: 'Apollo Router made it always on, and so is it here: equal representations are asked for once',
    hasNoEffect: 'always',
  },
  'traffic_shaping.router.timeout': 'The time for a whole request',
  'traffic_shaping.router.global_rate_limit.capacity':
    'The most requests in an interval; the most cost where meridian.throttle.unit is cost',
  'traffic_shaping.router.global_rate_limit.interval': 'The interval',
  'traffic_shaping.router.concurrency_limit': 'The most requests at once; further ones are answered 503',
  'traffic_shaping.all.timeout': 'The time for one request to a subgraph: connecting, head and body together',
  'traffic_shaping.all.deduplicate_query': 'Whether equal requests to a subgraph that are under way are one',
  'traffic_shaping.all.experimental_http2': 'Whether HTTP/2 is spoken where a subgraph offers it over TLS',
  'traffic_shaping.subgraphs.*.timeout': 'The same for this subgraph',
  'traffic_shaping.subgraphs.*.deduplicate_query': 'The same for this subgraph',
  'traffic_shaping.subgraphs.*.experimental_http2': 'The same for this subgraph',
  'meridian.executor':
    'The executor: `compiled`; `reference`, the same without its fast path; or `apollo`, stock @apollo/gateway',
  'meridian.deduplicate_requests':
    'Whether equal queries of one caller that are under way are one, from the plan on; equal by everything that authorization is based on',
  'meridian.operations.require_name': 'Whether an operation without a name is refused',
  'meridian.public_schema':
    'Says that the schema is no secret, so that the start does not warn of supergraph.introspection in production',
  'meridian.limits.introspection_max_depth': 'The depth of an operation that asks for nothing but the schema',
  'meridian.limits.max_operations': 'The operations of one document; all but the one to run are left unread',
  'meridian.limits.max_fragments': 'The fragments of one document',
  'meridian.limits.max_selections': 'The selections of one selection set, leaves that are repeated aside',
  'meridian.limits.json_max_depth': 'Arrays and objects that may stand open at once in the JSON of a request',
  'meridian.limits.json_max_values':
    'Values in the JSON of a request: members of objects and items of arrays, counted before it is parsed',
  'meridian.compression.enabled':
    'Whether answers to queries are compressed (zstd, br or gzip) for clients that accept it; off where the load balancer does it',
  'meridian.compression.min_size': 'A shorter answer goes out as it is',
  'meridian.authentication.tenants': 'The tenants that an issuer may name, by issuer; absent, any',
  'meridian.authentication.tenants.*': 'The tenants that this issuer may name',
  'meridian.authentication.plain_http_hosts':
    'The hosts whose key sets may be fetched over http://; who can change traffic on the way to one of them can sign tokens of every tenant, so name only hosts that a mesh encrypts the way to',
  'meridian.throttle.unit':
    'What rate limits count: requests, as in Apollo Router, or the cost of their operations',
  'meridian.throttle.tenant.capacity': 'What one tenant may use in an interval',
  'meridian.throttle.tenant.interval': 'The interval',
  'meridian.throttle.local_share':
    'The share of a limit that a replica gives by itself while Redis does not answer',
  'meridian.explain.enabled':
    'Whether recent requests may be looked up by their trace; absent, in development where there is a secret',
  'meridian.explain.secret': 'What whoever looks one up has to show',
  'meridian.explain.max_bytes': 'The memory that recent requests may take',
  'meridian.usage.enabled':
    'Whether the use of fields is recorded, by operation and client; it takes DATABASE_URL',
  'meridian.usage.flush_interval': 'How long uses are collected before they are written',
  'meridian.usage.max_counts': 'How many uses may wait to be written',
  'meridian.usage.retention_days': 'How long they are kept',
  'meridian.cost.measure_every': 'One answer in so many is measured for its actual cost',
  'meridian.overload.max_event_loop_delay': 'A process that is this late with its work answers 503',
  'meridian.authorization.policies_claim':
    'The claim of a token that lists the policies (@policy) that its caller meets; absent, policies',
  'meridian.errors.allowed_codes':
    'The codes of subgraphs’ errors that clients see though the errors are masked; any other becomes INTERNAL_SERVER_ERROR',
};

/** The note on a key. What is said of all subgraphs holds for a single one as well. */
export function keyNote(path: string): KeyNote | undefined {
  const note = notes[path] ?? notes[path.replace(/^headers\.subgraphs\.\*/, 'headers.all')];
  return typeof note === 'string' ? { does: note } : note;
}

/** The paths that have a note of their own. */
export const notedPaths: readonly string[] = Object.keys(notes);
