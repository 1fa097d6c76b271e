/** Task → the keys that one sets for it, each for all keys that start with it. The index of the reference page. */
export const keysByTask: ReadonlyMap<string, readonly string[]> = new Map([
  ['Tokens (JWT) of an identity provider', ['authentication.router.jwt.jwks', 'meridian.authentication']],
  ['Who may ask what', ['authorization', 'forbid_mutations', 'meridian.authorization.policies_claim']],
  ['Address, path and TLS', ['supergraph.listen', 'supergraph.path', 'health_check', 'tls', 'server']],
  ['Browsers: CORS, CSRF', ['cors', 'csrf']],
  ['Header fields for subgraphs', ['headers.all.request']],
  ['Header fields of subgraphs for clients', ['meridian.headers']],
  [
    'Subgraphs that fail, or get too much',
    ['circuit_breaker', 'traffic_shaping.all.experimental_retry', 'traffic_shaping.all.global_rate_limit'],
  ],
  ['Addresses of subgraphs', ['override_subgraph_url']],
  [
    'Timeouts',
    ['traffic_shaping.router.timeout', 'traffic_shaping.all.timeout', 'traffic_shaping.subgraphs.*.timeout'],
  ],
  [
    'Limits for operations and requests',
    ['limits', 'demand_control', 'meridian.limits', 'meridian.operations.require_name'],
  ],
  [
    'Rate limits and overload',
    [
      'traffic_shaping.router.global_rate_limit',
      'meridian.throttle',
      'meridian.tiers',
      'traffic_shaping.router.concurrency_limit',
      'meridian.overload',
    ],
  ],
  ['Persisted queries and a safelist', ['persisted_queries', 'apq']],
  ['Code of your own', ['coprocessor']],
  ['Batches of operations', ['batching']],
  ['File uploads', ['preview_file_uploads']],
  ['Subscriptions', ['subscription', 'meridian.subscription']],
  ['Errors: what clients see', ['include_subgraph_errors', 'meridian.errors.allowed_codes']],
  ['The explorer and introspection', ['sandbox', 'supergraph.introspection', 'meridian.public_schema']],
  ['Traces, explanations, usage', ['telemetry', 'meridian.explain', 'meridian.usage', 'meridian.cost']],
  ['A cache of subgraphs’ responses', ['response_cache', 'meridian.response_cache']],
  ['Query plans that outlive a process', ['meridian.plan_cache', 'supergraph.query_planning.cache']],
  [
    'Compression, HTTP/2, deduplication',
    [
      'meridian.compression',
      'traffic_shaping.all.experimental_http2',
      'traffic_shaping.all.deduplicate_query',
      'meridian.deduplicate_requests',
    ],
  ],
]);
