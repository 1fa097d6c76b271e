import { request as httpRequest } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';
import type { IntrospectionQuery } from 'graphql';
import { buildClientSchema } from 'graphql';

import type { TestGateway } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { useFolder } from '../support/use-folder.ts';

const topNames = 'query TopNames($first: Int! = 3) {\n  topProducts(first: $first) {\n    name\n  }\n}';

const folder = useFolder();
const identity = useInSuite(createTestIdentity);
const gateway = useInSuite(() =>
  startTestGateway({
    config: `
    supergraph: { path: /graphql }
    sandbox: { enabled: true }
    authentication: { router: { jwt: { jwks: [{ url: '${identity.jwksUrl.href}', issuers: ['${identity.issuer}'] }] } } }
    authorization: { require_authentication: true }
    persisted_queries: { enabled: true, local_manifests: ['\${env.MANIFEST_PATH}'] }
    limits: { max_aliases: 2 }
    demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 5 } } }
    meridian: { tiers: { claim: plan, default: basic, limits: { basic: { max_cost: 100 } } } }
  `,
    env: {
      NODE_ENV: 'development',
      DEVELOPMENT_IDENTITY_PATH: dirname(fileURLToPath(identity.jwksUrl)),
      GRAPH_PAGE_PATH: join(folder, 'graph.html'),
    },
    manifest: { 'top-names': topNames },
  }),
);
const production = useInSuite(() => startTestGateway({ config: 'sandbox: { enabled: true }' }));

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Node's own client, which lets a test choose the Host. */
async function ask(
  path: string,
  {
    of = gateway,
    method = 'GET',
    headers = {},
    body,
  }: {
    of?: TestGateway;
    method?: string;
    headers?: Readonly<Record<string, string>>;
    body?: object | string;
  } = {},
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const request = httpRequest(new URL(path, of.url), { method, headers }, (response) => {
    text(response).then(
      (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
      reject,
    );
  });
  request.on('error', reject);
  request.end(typeof body === 'object' ? JSON.stringify(body) : body);
  return await promise;
}

async function explain(query: string, variables: object = {}): Promise<Readonly<Record<string, unknown>>> {
  const reply = await ask('/explorer/explanation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: { query, variables, operationName: null },
  });
  expect(reply.status).toBe(200);
  return JSON.parse(reply.body) as Readonly<Record<string, unknown>>;
}

describe('The explorer', () => {
  it('redirects a URL with a trailing slash', async () => {
    const { status, headers } = await ask('/explorer/');
    expect([status, headers['location']]).toEqual([301, '/explorer']);
  });

  it('serves a page that cannot load anything from another host, and that no page can frame', async () => {
    const { status, headers, body } = await ask('/explorer');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('http');
    expect(body).not.toMatch(/(?:src|href)="(?!\/explorer\/|data:,)/);
  });

  it.each(['/', '/graphql'])('opens in a browser that requests %s', async (path) => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers } = await ask(path, { headers: { accept } });
    expect(status).toBe(303);
    expect(headers['location']).toBe('/explorer');
    expect(headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await ask('/', { headers: { accept: '*/*' } })).status).toBe(404);
    // A GET of an operation gets its usual response, from any client.
    expect((await ask('/graphql?query={__typename}', { headers: { accept } })).status).toBe(400);
  });

  it('serves the files of its page, made from the installed packages', async () => {
    const program = await ask('/explorer/main.js');
    expect(program.status).toBe(200);
    expect(program.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(program.headers['cross-origin-resource-policy']).toBe('same-origin');
    expect((await ask('/explorer/graphql.worker.js')).status).toBe(200);
    expect((await ask('/explorer/main.css')).headers['content-type']).toBe('text/css; charset=utf-8');
    const missing = await ask('/explorer/nothing.js');
    expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(missing.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('starts with a token that the gateway accepts, and the operations of the manifest', async () => {
    const { headers, body } = await ask('/explorer/session');
    expect(headers['cache-control']).toBe('no-store');
    const session = JSON.parse(body) as { graphPath: string; token: string; operations: object[] };
    expect(session).toMatchObject({
      graphPath: '/graphql',
      operations: [{ id: 'top-names', name: 'TopNames', body: topNames }],
    });
    const response = await gateway.post({ query: topNames }, { authorization: `Bearer ${session.token}` });
    expect(response.body.data).toHaveProperty('topProducts');
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['a page of another origin, in an old browser', { origin: 'https://evil.example' }],
  ])('gives no token to %s', async (_what, headers) => {
    const { status, body } = await ask('/explorer/session', { headers });
    expect(status).toBe(403);
    expect(body).not.toContain('token');
  });

  it('links to the page of `pnpm graph` from when it was written, and keeps it away from the token', async () => {
    expect(JSON.parse((await ask('/explorer/session')).body)).not.toHaveProperty('graphPage');
    expect((await ask('/explorer/graph')).status).toBe(404);
    await writeFile(join(folder, 'graph.html'), '<!doctype html><title>Graph</title>');
    expect(JSON.parse((await ask('/explorer/session')).body)).toHaveProperty('graphPage', '/explorer/graph');
    const { status, headers, body } = await ask('/explorer/graph');
    expect([status, body]).toEqual([200, '<!doctype html><title>Graph</title>']);
    expect(headers['content-security-policy']).toBe("sandbox allow-scripts; frame-ancestors 'none'");
  });

  it('shows what an operation costs, how long it may be cached and what it fetches, without running it', async () => {
    gateway.products.reset();
    gateway.reviews.reset();
    expect(
      await explain('query Q($n: Int! = 3) { topProducts(first: $n) { name reviews { body } } }', { n: 2 }),
    ).toEqual({
      // Two products, and two reviews of each, which is their default.
      cost: { estimated: 6, max: 100 },
      cacheControl: 'max-age=30, private',
      plan: {
        fetchCount: 2,
        roundCount: 2,
        text: expect.stringMatching(/products[^]*reviews/),
        flowchart: expect.stringMatching(/^flowchart /),
        // All of the graph, so that each has the same colour in every plan.
        subgraphs: ['products', 'reviews'],
        fetches: [
          expect.objectContaining({ number: 1, subgraph: 'products', after: [], round: 1 }),
          expect.objectContaining({ number: 2, subgraph: 'reviews', after: [1], round: 2 }),
        ],
      },
    });
    expect([...gateway.products.received, ...gateway.reviews.received]).toEqual([]);
  });

  it('has the times of a run, each of a fetch in the plan, without a secret for them', async () => {
    const { token } = JSON.parse((await ask('/explorer/session')).body) as { token: string };
    const response = await gateway.post(
      { query: 'query Q { topProducts { name reviews { body } } }' },
      { authorization: `Bearer ${token}` },
    );
    const requestId = response.headers.get('request-id') ?? '';
    const { status, headers, body } = await ask(`/explorer/run?id=${requestId}`);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const times = { startMs: expect.any(Number), durationMs: expect.any(Number), outcome: 'ok' };
    expect(JSON.parse(body)).toEqual({
      stages: expect.any(Array),
      fetches: [
        { number: 1, subgraph: 'products', operation: 'Q__products', ...times },
        { number: 2, subgraph: 'reviews', operation: 'Q__reviews', entities: 3, ...times },
      ],
    });
    expect((await ask('/explorer/run?id=none')).status).toBe(404);
  });

  it('has the schema without an operation, which usage would count', async () => {
    const { body } = await ask('/explorer/schema');
    const { data } = JSON.parse(body) as { data: IntrospectionQuery };
    expect(Object.keys(buildClientSchema(data).getTypeMap())).toEqual(
      expect.arrayContaining(['Product', 'Review']),
    );
  });

  it.each([
    ['a syntax error', 'query Q { topProducts', 'PARSING_ERROR'],
    ['an unknown field', 'query Q { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['no name', '{ __typename }', 'ANONYMOUS_OPERATION'],
    ['too many aliases', 'query Q { a: __typename b: __typename c: __typename }', 'MAX_ALIASES_LIMIT'],
    [
      'a missing variable',
      'query Q($id: ID!) { product(id: $id) { id } }',
      'VALIDATION_INVALID_TYPE_VARIABLE',
    ],
    [
      'a cost over the bound',
      'query Q { topProducts(first: 90) { parts(first: 9) { id } } }',
      'COST_ESTIMATED_TOO_EXPENSIVE',
    ],
  ])('says why an operation would be a request error: %s', async (_what, query, code) => {
    expect(await explain(query)).toMatchObject({ requestError: { code } });
  });

  it('accepts an operation to explain only as JSON, which a page of another origin cannot send without a preflight', async () => {
    const body = { query: topNames, variables: {}, operationName: null };
    const send = async (type: string, sent: object | string): Promise<number> =>
      (await ask('/explorer/explanation', { method: 'POST', headers: { 'Content-Type': type }, body: sent }))
        .status;
    expect(await send('text/plain', body)).toBe(415);
    expect(await send('application/json', 'not JSON')).toBe(400);
    expect(await send('application/json', { query: 1 })).toBe(400);
    expect((await ask('/explorer', { method: 'POST' })).status).toBe(405);
  });
});

describe('The explorer answers 404', () => {
  it('to other machines', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await ask('/explorer', { headers })).status).toBe(404);
    expect((await ask('/explorer/session', { headers })).status).toBe(404);
  });

  it('in production, whatever the configuration says', async () => {
    expect((await ask('/explorer', { of: production })).status).toBe(404);
    expect((await ask('/explorer/session', { of: production })).body).not.toContain('operations');
  });

  it('when the configuration does not turn it on', async () => {
    await using plain = await startTestGateway({ env: { NODE_ENV: 'development' } });
    expect((await ask('/explorer', { of: plain })).status).toBe(404);
  });
});
