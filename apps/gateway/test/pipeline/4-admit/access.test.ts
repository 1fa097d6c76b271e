import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestIdentity } from '@meridian/testing';
import { createTestIdentity } from '@meridian/testing';

import type { ClientSideAnswer, TestGateway } from '../../support/test-gateway.ts';
import { startTestGateway } from '../../support/test-gateway.ts';

let identity: TestIdentity;
let gateway: TestGateway;

beforeAll(async () => {
  identity = await createTestIdentity();
  gateway = await startTestGateway({
    config:
      'authentication: { router: { jwt: { jwks: [ { url: "${env.JWKS_URL}", issuers: ["${env.JWT_ISSUER}"] } ] } } }',
    env: { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
  });
});
afterEach(() => gateway.products.reset());
afterAll(async () => {
  await gateway.close();
  await identity.close();
});

async function askAs(scopes: readonly string[], query: string): Promise<ClientSideAnswer> {
  return await gateway.post({ query }, { authorization: `Bearer ${await identity.token({ scopes })}` });
}

function askAnonymously(query: string): Promise<ClientSideAnswer> {
  return gateway.post({ query });
}

function deniedPaths({ body }: ClientSideAnswer): unknown[] {
  return (body.errors ?? [])
    .filter(({ extensions }) => extensions.code === 'UNAUTHORIZED_FIELD_OR_TYPE')
    .map(({ path }) => path?.join('.'));
}

function queriesOf({ products }: TestGateway): string {
  return products.received.map(({ body }) => body.query).join('\n');
}

describe('field the caller may not see', () => {
  it('is null, 200, with UNAUTHORIZED_FIELD_OR_TYPE on its path, and is never fetched', async () => {
    const response = await askAnonymously('query A { time me { name } }');
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({ time: 'now', me: null });
    expect(deniedPaths(response)).toEqual(['me']);
    expect(queriesOf(gateway)).not.toMatch(/\bme\b|\bname\b/);
  });

  it('@authenticated takes any caller who is known', async () => {
    const { body } = await askAs([], 'query A { me { name } }');
    expect(body).toEqual({ data: { me: { name: 'Alice' } } });
  });

  it.each([
    [['stock:write'], 7],
    [['admin'], 7],
    [['stock:read'], null],
  ])('@requiresScopes takes all scopes of one set: %j', async (scopes, restock) => {
    const { body } = await askAs(scopes, 'mutation A { restock(id: 1) }');
    expect(body.data).toEqual({ restock });
  });

  it.each([
    [['finance'], 40],
    [['audit', 'emea'], 40],
    [['audit'], null],
    [[], null],
  ])('@policy takes all policies of one set, from a claim of the token: %j', async (policies, margin) => {
    const token = await identity.token({ policies });
    const { body } = await gateway.post(
      { query: 'query A { product(id: 1) { margin } }' },
      { authorization: `Bearer ${token}` },
    );
    expect(body.data).toEqual({ product: { margin } });
    expect(queriesOf(gateway).includes('margin')).toBe(margin !== null);
  });

  it('a scope is no policy of the same name', async () => {
    const { body } = await askAs(['finance'], 'query A { product(id: 1) { margin } }');
    expect(body.data).toEqual({ product: { margin: null } });
  });

  it('a mutation that is withheld never runs', async () => {
    await askAs([], 'mutation A { restock(id: 1) }');
    expect(gateway.products.received).toEqual([]);
  });

  it('a requirement on the type that a field returns holds for the field', async () => {
    const response = await askAnonymously('query A { product(id: 1) { name supplier { name } } }');
    expect(response.body.data).toEqual({ product: { name: 'Product 1', supplier: null } });
    expect(deniedPaths(response)).toEqual(['product.supplier']);
  });

  it('a null in a non-null place climbs to the nearest nullable one', async () => {
    const response = await askAs([], 'query A { time topProducts(first: 2) { id cost } }');
    expect(response.body.data).toEqual({ time: 'now', topProducts: [null, null] });
    expect(deniedPaths(response)).toEqual(['topProducts.0.cost', 'topProducts.1.cost']);
  });

  it('keeps its alias and its place among the others', async () => {
    const { body } = await askAnonymously(
      'query A { product(id: 1) { a: name from: supplier { id } b: name } }',
    );
    expect(JSON.stringify(body.data)).toBe('{"product":{"a":"Product 1","from":null,"b":"Product 1"}}');
  });

  it('is found in fragments, whatever their type condition', async () => {
    const query = `query A { search { name ...F ... on Voucher { code } } }
      fragment F on Product { supplier { id } }`;
    const response = await askAnonymously(query);
    expect(response.body.data).toEqual({
      search: [
        { name: 'Product 1', supplier: null },
        { name: 'Ten off', code: 'TEN' },
      ],
    });
    expect(deniedPaths(response)).toEqual(['search.0.supplier']);
  });

  it('may be the only one of its object', async () => {
    const response = await askAnonymously('query A { product(id: 1) { supplier { id } } }');
    expect(response.body.data).toEqual({ product: { supplier: null } });
  });

  it('left out by a condition is no error', async () => {
    const response = await askAnonymously('query A { time me @include(if: false) { name } }');
    expect(response.body).toEqual({ data: { time: 'now' } });
  });

  it('is fetched for the caller who may see it, also right after one who may not', async () => {
    const query = 'query Same { product(id: 1) { cost } }';
    expect((await askAs([], query)).body.data).toEqual({ product: null });
    expect((await askAs(['costs:read'], query)).body.data).toEqual({ product: { cost: 60 } });
    expect((await askAs([], query)).body.data).toEqual({ product: null });
  });
});

describe('authorization.directives.enabled: false', () => {
  it('leaves it to the subgraphs what a caller may see', async () => {
    const open = await startTestGateway({ config: 'authorization: { directives: { enabled: false } }' });
    expect((await open.post({ query: 'query A { me { name } }' })).body).toEqual({
      data: { me: { name: 'Alice' } },
    });
    await open.close();
  });
});
