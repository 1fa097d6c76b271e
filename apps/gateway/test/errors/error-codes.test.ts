import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { executionCodes, requestErrorKinds } from '../../src/errors/error-codes.ts';
import type { ExecutionCode, RequestErrorCode } from '../../src/errors/error-codes.ts';
import type { Misbehaviour } from '../support/stub-subgraph.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import type { ClientSideResponse, TestGateway } from '../support/test-gateway.ts';
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

interface Row {
  readonly code: RequestErrorCode | ExecutionCode;
  readonly condition: string;
  /**
   * The status for `application/graphql-response+json`; that for `application/json` is 200, unless it is before
   * GraphQL.
   */
  readonly status: number;
  readonly of?: Kind;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The reviews subgraph's misbehaviour. */
  readonly reviews?: Misbehaviour;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

const listed = 'query Listed { time }';
const rated = { query: 'query A { product(id: 1) { rating } }' };

/** The table of the contract: Gateway. */
const table: readonly Row[] = [
  {
    code: 'PERSISTED_QUERY_NOT_IN_LIST',
    condition: 'identifier not in the manifest',
    status: 404,
    of: 'safelisted',
    body: persisted('nothing'),
  },
  {
    code: 'PERSISTED_QUERY_ID_REQUIRED',
    condition: 'text without identifier while require_id',
    status: 400,
    of: 'by identifier only',
    body: { query: listed },
  },
  {
    code: 'CANNOT_SEND_PQ_ID_AND_BODY',
    condition: 'identifier and text together',
    status: 400,
    of: 'by identifier only',
    body: { query: listed, ...persisted('listed') },
  },
  {
    code: 'QUERY_NOT_IN_SAFELIST',
    condition: 'text not in the safelist',
    status: 403,
    of: 'safelisted',
    body: { query: 'query Other { time }' },
  },
  {
    code: 'MAX_DEPTH_LIMIT',
    condition: 'depth',
    status: 400,
    body: { query: 'query A { topProducts { reviews { product { id } } } }' },
  },
  {
    code: 'MAX_ALIASES_LIMIT',
    condition: 'aliases',
    status: 400,
    body: { query: 'query A { a: time b: time c: time }' },
  },
  {
    code: 'MAX_HEIGHT_LIMIT',
    condition: 'height',
    status: 400,
    body: { query: 'query A { topProducts { id name price rating reviews { id body } supplier { id } } }' },
  },
  {
    code: 'MAX_ROOT_FIELDS_LIMIT',
    condition: 'root fields',
    status: 400,
    body: { query: 'query A { time time time time time }' },
  },
  {
    code: 'PARSING_ERROR',
    condition: 'tokens',
    status: 400,
    body: { query: `query A { ${'time '.repeat(60)} }` },
  },
  { code: 'PARSING_ERROR', condition: 'syntax', status: 400, body: { query: 'query A {' } },
  {
    code: 'GRAPHQL_VALIDATION_FAILED',
    condition: 'validation',
    status: 400,
    body: { query: 'query A { nothing }' },
  },
  {
    code: 'UNKNOWN_ERROR',
    condition: 'validation while redacted',
    status: 400,
    of: 'read-only',
    body: { query: 'query A { nothing }' },
  },
  {
    code: 'MUTATION_FORBIDDEN',
    condition: 'mutation while forbidden',
    status: 400,
    of: 'read-only',
    body: { query: 'mutation A { rename(id: 1, name: "a") { id } }' },
  },
  {
    code: 'GRAPHQL_UNKNOWN_OPERATION_NAME',
    condition: 'unknown operation name',
    status: 400,
    body: { query: 'query A { time }', operationName: 'B' },
  },
  { code: 'ANONYMOUS_OPERATION', condition: 'anonymous operation', status: 400, body: { query: '{ time }' } },
  {
    code: 'VALIDATION_INVALID_TYPE_VARIABLE',
    condition: 'bad variables',
    status: 400,
    body: {
      query: 'query A($first: Int!) { topProducts(first: $first) { id } }',
      variables: { first: 'many' },
    },
  },
  {
    code: 'INTROSPECTION_DISABLED',
    condition: 'introspection while off',
    status: 400,
    body: { query: 'query A { __schema { types { name } } }' },
  },
  {
    code: 'COST_ESTIMATED_TOO_EXPENSIVE',
    condition: 'estimated cost over demand_control…max',
    status: 400,
    of: 'expensive',
    body: { query: 'query A { topProducts(first: 6) { id } }' },
    extensions: { 'cost.estimated': 6, 'cost.max': 5 },
  },
  {
    code: 'PAGE_SIZE_LIMIT',
    condition: 'paging argument out of its bound',
    status: 400,
    body: { query: 'query A { topProducts(first: 101) { id } }' },
  },
  {
    code: 'BATCHING_NOT_ENABLED',
    condition: 'array batch',
    status: 400,
    body: [{ query: 'query A { time }' }],
  },
  {
    code: 'UNAUTHORIZED_FIELD_OR_TYPE',
    condition: 'field the caller may not see',
    status: 200,
    body: { query: 'query A { me { name } }' },
  },
  {
    code: 'GATEWAY_TIMEOUT',
    condition: 'subgraph too slow',
    status: 200,
    of: 'hasty',
    body: rated,
    reviews: () => undefined,
  },
  {
    code: 'SUBREQUEST_HTTP_ERROR',
    condition: 'subgraph unreachable or non-2xx',
    status: 200,
    body: rated,
    reviews: (response) => respondJson(response, {}, 500),
  },
  {
    code: 'SUBREQUEST_MALFORMED_RESPONSE',
    condition: 'subgraph answered nonsense',
    status: 200,
    body: rated,
    reviews: (response) => respondJson(response, { data: { _entities: [] } }),
  },
  {
    code: 'INTERNAL_SERVER_ERROR',
    condition: 'masked subgraph error',
    status: 200,
    body: rated,
    reviews: (response) =>
      respondJson(response, {
        data: { _entities: [{ rating: null }] },
        errors: [{ message: 'SQL', path: ['_entities', 0, 'rating'], extensions: { code: 'SECRET' } }],
      }),
  },
  { code: 'BAD_REQUEST', condition: 'bad JSON', status: 400, body: '{' },
  {
    code: 'DEFER_BAD_HEADER',
    condition: '@defer, and a client that takes no parts',
    status: 406,
    body: { query: 'query A { ... @defer { time } }' },
  },
  {
    code: 'UNAUTHENTICATED',
    condition: 'no token',
    status: 401,
    of: 'for known callers',
    body: { query: listed },
  },
  {
    code: 'PAYLOAD_TOO_LARGE',
    condition: 'a body over its cap',
    status: 413,
    body: { query: 'x'.repeat(2001) },
  },
  {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    condition: 'no JSON',
    status: 415,
    body: 'query A { time }',
    headers: { 'Content-Type': 'application/graphql' },
  },
  {
    code: 'REQUEST_RATE_LIMITED',
    condition: 'over the rate limit',
    status: 429,
    of: 'throttled',
    body: { query: listed },
  },
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
  afterAll(async () => {
    await Promise.all([...gateways.values()].map((gateway) => gateway.close()));
  });

  async function ask(
    { of = 'limited', body, headers, reviews }: Row,
    accept: string,
  ): Promise<ClientSideResponse> {
    const gateway = gateways.get(of) as TestGateway;
    if (reviews !== undefined) {
      gateway.reviews.misbehave(reviews);
    }
    return await gateway.post(body, { Accept: accept, ...headers });
  }

  it.each(table)('holds: $condition → $code, $status', async (row) => {
    const isBeforeGraphql =
      'isBeforeGraphql' in (requestErrorKinds[row.code as RequestErrorCode] ?? {}) && row.status !== 200;
    for (const [accept, status] of [
      ['application/graphql-response+json', row.status],
      ['application/json', isBeforeGraphql ? row.status : 200],
    ] as const) {
      const response = await ask(row, accept);
      expect({ status: response.status, code: response.code }).toEqual({ status, code: row.code });
      const [error] = response.body.errors ?? [];
      expect(error?.extensions).toMatchObject({
        ...row.extensions,
        traceId: response.headers.get('apollo-trace-id'),
      });
    }
  });

  it('has a row for each code that a request body can provoke', () => {
    const rows = new Set<string>(table.map(({ code }) => code));
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
