import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { executionCodes, requestErrorKinds } from '../../src/errors/error-codes.ts';
import type { ExecutionCode, RequestErrorCode } from '../../src/errors/error-codes.ts';
import type { Misbehaviour } from '../support/stub-subgraph.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import type { TestGateway } from '../support/test-gateway.ts';
import { persisted, startTestGateway } from '../support/test-gateway.ts';

/** The gateways of these tests, by the rejection that they are configured for. */
type Kind =
  | 'limited'
  | 'hasty'
  | 'safelisted'
  | 'by identifier only'
  | 'expensive'
  | 'throttled'
  | 'read-only'
  | 'for known callers';

const queries = (rules: string): string =>
  `persisted_queries: { enabled: true, local_manifests: ["\${env.MANIFEST_PATH}"], safelist: ${rules} }`;
const configs: Readonly<Record<Kind, string>> = {
  limited: `
    limits: { max_depth: 3, max_height: 8, max_aliases: 2, max_root_fields: 4, parser_max_tokens: 60, http_max_request_bytes: 2000 }
    csrf: { required_headers: [x-preflight] }
  `,
  // The others give a subgraph all the time that a busy machine takes.
  hasty: 'traffic_shaping: { subgraphs: { reviews: { timeout: 100ms } } }',
  safelisted: queries('{ enabled: true }'),
  'by identifier only': queries('{ enabled: true, require_id: true }'),
  expensive:
    'demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 5 } } }',
  throttled: 'traffic_shaping: { router: { global_rate_limit: { capacity: 1, interval: 1h } } }',
  'read-only': 'forbid_mutations: true\nsupergraph: { redact_query_validation_errors: true }',
  'for known callers': `
    authentication: { router: { jwt: { jwks: [ { url: "http://127.0.0.1:1/", issuers: ["https://issuer.example"] } ] } } }
    authorization: { require_authentication: true }
  `,
};

/** The members of a row besides code, condition, status and body. */
interface Circumstances {
  readonly of?: Kind;
  readonly headers?: Readonly<Record<string, string>>;
  /** The reviews subgraph's misbehaviour. */
  readonly reviews?: Misbehaviour;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/**
 * The status is the one for `application/graphql-response+json`; for `application/json` it is 200, unless the error is
 * before GraphQL.
 */
type Row = readonly [
  code: RequestErrorCode | ExecutionCode,
  condition: string,
  status: number,
  body: unknown,
  circumstances?: Circumstances,
];

const listed = 'query Listed { time }';
const rated = query('product(id: 1) { rating }');
const safelisted = { of: 'safelisted' } as const;
const byIdentifier = { of: 'by identifier only' } as const;
const readOnly = { of: 'read-only' } as const;

function query(selections: string): { readonly query: string } {
  return { query: `query A { ${selections} }` };
}

/** The table of the contract: Gateway. */
const table: readonly Row[] = [
  ['PERSISTED_QUERY_NOT_IN_LIST', 'identifier not in the manifest', 404, persisted('nothing'), safelisted],
  ['PERSISTED_QUERY_ID_REQUIRED', 'text alone while require_id', 400, { query: listed }, byIdentifier],
  [
    'CANNOT_SEND_PQ_ID_AND_BODY',
    'identifier and text together',
    400,
    { query: listed, ...persisted('listed') },
    byIdentifier,
  ],
  ['QUERY_NOT_IN_SAFELIST', 'text not in the safelist', 403, query('time'), safelisted],
  ['MAX_DEPTH_LIMIT', 'depth', 400, query('topProducts { reviews { product { id } } }')],
  ['MAX_ALIASES_LIMIT', 'aliases', 400, query('a: time b: time c: time')],
  [
    'MAX_HEIGHT_LIMIT',
    'height',
    400,
    query('topProducts { id name price rating reviews { id body } supplier { id } }'),
  ],
  ['MAX_ROOT_FIELDS_LIMIT', 'root fields', 400, query('time time time time time')],
  ['PARSING_ERROR', 'tokens', 400, query('time '.repeat(60))],
  ['PARSING_ERROR', 'syntax', 400, { query: 'query A {' }],
  ['GRAPHQL_VALIDATION_FAILED', 'validation', 400, query('nothing')],
  ['UNKNOWN_ERROR', 'validation while redacted', 400, query('nothing'), readOnly],
  [
    'MUTATION_FORBIDDEN',
    'mutation while forbidden',
    400,
    { query: 'mutation A { rename(id: 1, name: "a") { id } }' },
    readOnly,
  ],
  ['GRAPHQL_UNKNOWN_OPERATION_NAME', 'unknown operation', 400, { ...query('time'), operationName: 'B' }],
  ['ANONYMOUS_OPERATION', 'anonymous operation', 400, { query: '{ time }' }],
  [
    'VALIDATION_INVALID_TYPE_VARIABLE',
    'bad variables',
    400,
    { query: 'query A($n: Int!) { topProducts(first: $n) { id } }', variables: { n: 'many' } },
  ],
  ['INTROSPECTION_DISABLED', 'introspection while off', 400, query('__schema { types { name } }')],
  [
    'COST_ESTIMATED_TOO_EXPENSIVE',
    'estimated cost over demand_control…max',
    400,
    query('topProducts(first: 6) { id }'),
    { of: 'expensive', extensions: { 'cost.estimated': 6, 'cost.max': 5 } },
  ],
  ['PAGE_SIZE_LIMIT', 'paging argument out of its bound', 400, query('topProducts(first: 101) { id }')],
  ['BATCHING_NOT_ENABLED', 'array batch', 400, [query('time')]],
  ['UNAUTHORIZED_FIELD_OR_TYPE', 'field the caller may not see', 200, query('me { name }')],
  ['GATEWAY_TIMEOUT', 'subgraph too slow', 200, rated, { of: 'hasty', reviews: () => undefined }],
  [
    'SUBREQUEST_HTTP_ERROR',
    'subgraph unreachable or non-2xx',
    200,
    rated,
    { reviews: (response) => respondJson(response, {}, 500) },
  ],
  [
    'SUBREQUEST_MALFORMED_RESPONSE',
    'subgraph answered nonsense',
    200,
    rated,
    { reviews: (response) => respondJson(response, { data: { _entities: [] } }) },
  ],
  [
    'INTERNAL_SERVER_ERROR',
    'masked subgraph error',
    200,
    rated,
    {
      reviews: (response) =>
        respondJson(response, {
          data: { _entities: [{ rating: null }] },
          errors: [{ message: 'SQL', path: ['_entities', 0, 'rating'], extensions: { code: 'SECRET' } }],
        }),
    },
  ],
  ['BAD_REQUEST', 'bad JSON', 400, '{'],
  ['DEFER_BAD_HEADER', '@defer, and a client that takes no parts', 406, query('... @defer { time }')],
  ['UNAUTHENTICATED', 'no token', 401, { query: listed }, { of: 'for known callers' }],
  ['PAYLOAD_TOO_LARGE', 'a body over its cap', 413, { query: 'x'.repeat(2001) }],
  [
    'UNSUPPORTED_MEDIA_TYPE',
    'no JSON',
    415,
    'query A { time }',
    { headers: { 'Content-Type': 'application/graphql' } },
  ],
  ['REQUEST_RATE_LIMITED', 'over the rate limit', 429, { query: listed }, { of: 'throttled' }],
];

describe("The contract's table of error codes", () => {
  const gateways = new Map<Kind, TestGateway>();

  beforeAll(async () => {
    for (const [kind, config] of Object.entries(configs) as [Kind, string][]) {
      gateways.set(
        kind,
        await startTestGateway({
          config,
          manifest: { listed },
          // In production keys come over https only.
          env: kind === 'for known callers' ? { NODE_ENV: 'development' } : {},
        }),
      );
    }
    // Uses up the limit.
    await gateways.get('throttled')?.post({ query: listed });
  });
  afterEach(() => gateways.get('limited')?.reviews.reset());
  afterAll(() => Promise.all([...gateways.values()].map((gateway) => gateway.close())));

  it.each(table)('holds: %s, where: %s → %i', async (code, _condition, status, body, circumstances = {}) => {
    const { of = 'limited', headers, reviews, extensions } = circumstances;
    const gateway = gateways.get(of) as TestGateway;
    if (reviews !== undefined) {
      gateway.reviews.misbehave(reviews);
    }
    const isBeforeGraphql =
      'isBeforeGraphql' in (requestErrorKinds[code as RequestErrorCode] ?? {}) && status !== 200;
    for (const [Accept, expected] of [
      ['application/graphql-response+json', status],
      ['application/json', isBeforeGraphql ? status : 200],
    ] as const) {
      const response = await gateway.post(body, { Accept, ...headers });
      expect({ status: response.status, code: response.code }).toEqual({ status: expected, code });
      expect(response.body.errors?.[0]?.extensions).toMatchObject({
        ...extensions,
        traceId: response.headers.get('apollo-trace-id'),
      });
    }
  });

  it('has a row for each code that a request body can provoke', () => {
    const rows = new Set<string>(table.map(([code]) => code));
    const missing = [...Object.keys(requestErrorKinds), ...executionCodes].filter((code) => !rows.has(code));
    expect(missing).toEqual([
      // Of another path, method or Accept, and of a client that stops sending: transport.test.ts.
      'NOT_FOUND',
      'METHOD_NOT_ALLOWED',
      'NOT_ACCEPTABLE',
      // Of subscriptions: streams/.
      'SUBSCRIPTION_BAD_HEADER',
      'REQUEST_TIMEOUT',
      // Of keys that cannot be had, and of load: identity.test.ts, limit-load.test.ts.
      'SERVICE_UNAVAILABLE',
      'SUBSCRIPTION_MAX_LIMIT',
      'REQUEST_CONCURRENCY_LIMITED',
      'SERVICE_OVERLOADED',
      // Of files: uploads/.
      'FILE_UPLOADS_OPERATION_CANNOT_STREAM',
      'FILE_UPLOADS_LIMITS_MAX_FILES_EXCEEDED',
      'FILE_UPLOADS_LIMITS_MAX_FILE_SIZE_EXCEEDED',
      // Of operations that clients register: automatic-queries.test.ts.
      'PERSISTED_QUERY_NOT_FOUND',
      'PERSISTED_QUERY_NOT_SUPPORTED',
      'PERSISTED_QUERY_HASH_MISMATCH',
      // Of plans: plan-limits/.
      'MAX_SUBGRAPH_FETCHES_LIMIT',
      'SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE',
      // Of batches: batching/.
      'BATCH_LIMIT_EXCEEDED',
      'BATCHING_DEFER_UNSUPPORTED',
      'BATCHING_SUBSCRIPTION_UNSUPPORTED',
      // Of a subgraph that fails again and again: circuit-breaker.test.ts.
      'REQUEST_CIRCUIT_BREAKER_OPEN',
      'SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE',
    ]);
  });
});
