import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { createTestIdentity, eventually } from '@meridian/testing';

import { readConfig } from '../../src/config/gateway-config.ts';
import type { Explanation } from '../../src/explain/explanation.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import type { TestGatewayOptions } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const secret = 'a-secret-of-its-own-long-enough';
const reviewed = 'query Reviewed($first: Int! = 2) { topProducts(first: $first) { name reviews { body } } }';

const gateway = useTestGateway();

async function start(settings: object = {}, options: TestGatewayOptions = {}): Promise<void> {
  await gateway.start({
    ...options,
    config: JSON.stringify({ meridian: { explain: { enabled: true, secret } }, ...settings }),
  });
}

interface ExplainCall {
  readonly accept?: string;
  readonly bearer?: string;
}

function ask(
  id: string | null,
  { accept = 'text/plain', bearer = secret }: ExplainCall = {},
): Promise<Response> {
  return fetch(`${gateway.adminUrl}/explain?id=${id}`, {
    headers: { accept, authorization: `Bearer ${bearer}` },
  });
}

/** The explanation of an answer's request, once the gateway is done with it. */
async function explanationOf(headers: Headers): Promise<Explanation> {
  const id = headers.get('apollo-trace-id');
  await eventually(async () => expect((await ask(id)).status).toBe(200));
  const found = (await (await ask(id, { accept: 'application/json' })).json()) as Explanation[];
  expect(found).toHaveLength(1);
  return found[0] as Explanation;
}

describe('GET /explain on the admin listener', () => {
  it('shows the operation, the client, the fetches and the time that each stage took', async () => {
    await start();
    const { headers } = await gateway.post(
      { query: reviewed },
      { 'apollographql-client-name': 'web', 'apollographql-client-version': '1.2' },
    );
    const explanation = await explanationOf(headers);
    expect(explanation).toMatchObject({
      traceId: headers.get('apollo-trace-id'),
      requestId: headers.get('request-id'),
      method: 'POST',
      status: 200,
      client: { name: 'web', version: '1.2' },
      operation: { name: 'Reviewed', type: 'query' },
      cost: expect.any(Number),
      errors: [],
      fetches: [
        { subgraph: 'products', operation: 'Reviewed__products', outcome: 'ok' },
        { subgraph: 'reviews', entities: 2, outcome: 'ok' },
      ],
    });
    expect(explanation.stages.map(({ name }) => name)).toEqual([
      'identify',
      'compile',
      'admit',
      'plan',
      'execute',
      'respond',
    ]);
    expect(explanation.plan).toMatch(/^in order\n[^]*products\n[^]*reviews for topProducts/);
  });

  it('answers text for a terminal unless the client accepts JSON', async () => {
    await start();
    const { headers } = await gateway.post({ query: reviewed });
    await explanationOf(headers);
    const text = await (await ask(headers.get('request-id'))).text();
    expect(text).toMatch(/^Trace {6}[0-9a-f]{32}\nRequest {4}[0-9a-f-]{36}\n/);
    expect(text).toContain('\nOperation  query Reviewed\n');
    expect(text).toMatch(/\nFetches\n {2}at \d+\.\d ms +\d+\.\d ms +products +Reviewed__products +ok\n/);
  });

  it('shows errors as they were before masking, and the failures of fetches', async () => {
    await start();
    gateway.products.misbehave((response) =>
      respondJson(response, {
        data: { time: null },
        errors: [{ message: 'relation "products" is gone', path: ['time'], extensions: { code: 'DB' } }],
      }),
    );
    const { headers, body } = await gateway.post({ query: 'query A { time }' });
    expect(JSON.stringify(body)).not.toContain('relation');
    expect((await explanationOf(headers)).errors).toEqual([
      { path: 'time', subgraph: 'products', code: 'DB', message: 'relation "products" is gone' },
    ]);
    gateway.products.misbehave((response) => void response.destroy());
    const lost = await explanationOf((await gateway.post({ query: 'query A { time }' })).headers);
    expect(lost.fetches[0]?.outcome).toMatch(/^the subgraph could not be reached: /);
  });

  it('shows the caller, and no token', async () => {
    await using identity = await createTestIdentity();
    const jwks = [{ url: identity.jwksUrl.href, issuers: [identity.issuer], audiences: [identity.audience] }];
    await start(
      {
        authentication: { router: { jwt: { jwks } } },
        authorization: { require_authentication: true },
        meridian: { explain: { enabled: true, secret }, authentication: { tenant_claim: 'tenant_id' } },
      },
      { env: { NODE_ENV: 'development' } },
    );
    const token = await identity.token({ tenant: 'acme', subject: 'alice', scopes: ['orders:read'] });
    const { headers } = await gateway.post(
      { query: 'query A { time }' },
      { authorization: `Bearer ${token}` },
    );
    const explanation = await explanationOf(headers);
    expect(explanation.caller).toEqual({
      subject: 'alice',
      tenant: 'acme',
      issuer: identity.issuer,
      scopes: ['orders:read'],
    });
    expect(JSON.stringify(explanation)).not.toContain(token.split('.')[1]);
  });

  it('shows no variable, and no text inside the operation', async () => {
    await start();
    const { headers } = await gateway.post({
      query: 'query A($id: ID!) { product(id: $id) { name } search(filter: { text: "hunter2" }) { name } }',
      variables: { id: 'swordfish' },
    });
    expect(JSON.stringify(await explanationOf(headers))).not.toMatch(/hunter2|swordfish/);
  });

  it('explains a request error: how far the request came, and why', async () => {
    await start();
    const { headers } = await gateway.post({ query: 'query A { nothing }' });
    const explanation = await explanationOf(headers);
    expect(explanation).toMatchObject({
      requestError: { code: 'GRAPHQL_VALIDATION_FAILED' },
      fetches: [],
      stages: [{ name: 'identify' }, { name: 'respond' }],
    });
    expect(await (await ask(headers.get('apollo-trace-id'))).text()).toContain(
      'Refused    GRAPHQL_VALIDATION_FAILED: ',
    );
  });

  it("shows all requests of a trace, and a client cannot push out another client's by naming its trace", async () => {
    await start({ telemetry: { exporters: { tracing: { propagation: { trace_context: true } } } } });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-00`;
    await gateway.post({ query: 'query A { time }' }, { traceparent });
    await gateway.post({ query: 'query B { time }' }, { traceparent });
    await eventually(async () => {
      const found = (await (await ask(traceId, { accept: 'application/json' })).json()) as Explanation[];
      expect(found.map(({ operation }) => operation?.name)).toEqual(['A', 'B']);
    });
  });

  it('answers 404 to a trace that it does not know', async () => {
    await start();
    const response = await ask('00000000000000000000000000000000');
    expect([response.status, await response.text()]).toEqual([404, 'No recent request has this trace id.\n']);
  });

  it.each([
    ['another secret', { bearer: `${secret}!` }],
    ['none', { bearer: '' }],
  ])('answers 401 to %s, whatever the id', async (_case, call) => {
    await start();
    const response = await ask('x', call);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="meridian"',
    ]);
  });

  it.each<[string, object, Readonly<Record<string, string>>]>([
    ['without a secret', {}, { NODE_ENV: 'development' }],
    ['in production unless it is enabled', { explain: { secret } }, {}],
  ])('answers 404 %s, as it does on the public port', async (_case, meridian, env) => {
    await start({ meridian }, { env });
    expect((await ask('x')).status).toBe(404);
    expect((await fetch(`${new URL(gateway.url).origin}/explain?id=x`)).status).toBe(404);
  });
});

describe('meridian.explain', () => {
  it('is on in development when there is a secret', async () => {
    await start({ meridian: { explain: { secret } } }, { env: { NODE_ENV: 'development' } });
    expect((await ask('x')).status).toBe(404);
    expect((await ask('x', { bearer: 'another' })).status).toBe(401);
  });

  it.each([
    [{ enabled: true }, 'is missing; needs at least 20 characters, without spaces'],
    [{ secret: 'short' }, 'needs at least 20 characters, without spaces'],
  ])('stops the start without a secret of its own that is long enough: %j', async (explain, fault) => {
    await start();
    const path = join(dirname(gateway.supergraphPath), 'explain.yaml');
    await writeFile(path, JSON.stringify({ meridian: { explain } }));
    expect(() => readConfig({ ROUTER_CONFIG_PATH: path })).toThrow(`meridian.explain.secret: ${fault}`);
  });
});
