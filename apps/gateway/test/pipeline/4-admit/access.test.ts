import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import type { ClientSideResponse, TestGateway } from '../../support/test-gateway.ts';
import { startTestGateway } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';
import { useInSuite } from '../../support/use-in-suite.ts';

const identity = useInSuite(createTestIdentity);
const gateway = useTestGateway();

beforeAll(() =>
  gateway.start({
    config:
      'authentication: { router: { jwt: { jwks: [ { url: "${env.JWKS_URL}", issuers: ["${env.JWT_ISSUER}"] } ] } } }',
    env: { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
  }),
);

async function askAs(scopes: readonly string[], query: string): Promise<ClientSideResponse> {
  return await gateway.post({ query }, { authorization: `Bearer ${await identity.token({ scopes })}` });
}

function askAnonymously(query: string): Promise<ClientSideResponse> {
  return gateway.post({ query });
}

function deniedPaths({ body }: ClientSideResponse): unknown[] {
  return (body.errors ?? [])
    .filter(({ extensions }) => extensions.code === 'UNAUTHORIZED_FIELD_OR_TYPE')
    .map(({ path }) => path?.join('.'));
}

function queriesOf({ products }: TestGateway): string {
  return products.received.map(({ body }) => body.query).join('\n');
}

describe('A field that needs authorization', () => {
  it('is null without it in a 200 response, with UNAUTHORIZED_FIELD_OR_TYPE on its path, and is never fetched', async () => {
    const response = await askAnonymously('query A { time me { name } }');
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({ time: 'now', me: null });
    expect(deniedPaths(response)).toEqual(['me']);
    expect(queriesOf(gateway)).not.toMatch(/\bme\b|\bname\b/);
  });

  it.each([
    ['query A { me { name } }', 'a token'],
    ['mutation A { restock(id: 1) }', 'the scope stock:write or the scope admin'],
    ['query A { topProducts(first: 1) { margin } }', 'the policy finance or the policies audit and emea'],
  ])('has an error in development that names its requirement: %s', async (query, requirement) => {
    expect((await askAnonymously(query)).body.errors).toMatchObject([
      { message: `The caller may not see this field: it requires ${requirement}` },
    ]);
  });

  it('has an error in production that does not name its requirement', async () => {
    const inProduction = await startTestGateway();
    const { body } = await inProduction.post({ query: 'query A { me { name } }' });
    await inProduction.close();
    expect(body.errors).toMatchObject([{ message: 'The caller may not see this field' }]);
  });

  it('with @authenticated is visible to any authenticated caller', async () => {
    const { body } = await askAs([], 'query A { me { name } }');
    expect(body).toEqual({ data: { me: { name: 'Alice' } } });
  });

  it.each([
    [['stock:write'], 7],
    [['admin'], 7],
    [['stock:read'], null],
  ])('with @requiresScopes needs all scopes of one set: %j', async (scopes, restock) => {
    const { body } = await askAs(scopes, 'mutation A { restock(id: 1) }');
    expect(body.data).toEqual({ restock });
  });

  it.each([
    [['finance'], 40],
    [['audit', 'emea'], 40],
    [['audit'], null],
    [[], null],
  ])(
    'with @policy needs all policies of one set, from a claim of the token: %j',
    async (policies, margin) => {
      const token = await identity.token({ policies });
      const { body } = await gateway.post(
        { query: 'query A { product(id: 1) { margin } }' },
        { authorization: `Bearer ${token}` },
      );
      expect(body.data).toEqual({ product: { margin } });
      expect(queriesOf(gateway).includes('margin')).toBe(margin !== null);
    },
  );

  it('with @policy is not visible by a scope of the same name', async () => {
    const { body } = await askAs(['finance'], 'query A { product(id: 1) { margin } }');
    expect(body.data).toEqual({ product: { margin: null } });
  });

  it('of a mutation never runs without it', async () => {
    await askAs([], 'mutation A { restock(id: 1) }');
    expect(gateway.products.received).toEqual([]);
  });

  it('inherits the requirement of the type that it returns', async () => {
    const response = await askAnonymously('query A { product(id: 1) { name supplier { name } } }');
    expect(response.body.data).toEqual({ product: { name: 'Product 1', supplier: null } });
    expect(deniedPaths(response)).toEqual(['product.supplier']);
  });

  it('in a non-null position propagates its null to the nearest nullable one', async () => {
    const response = await askAs([], 'query A { time topProducts(first: 2) { id cost } }');
    expect(response.body.data).toEqual({ time: 'now', topProducts: [null, null] });
    expect(deniedPaths(response)).toEqual(['topProducts.0.cost', 'topProducts.1.cost']);
  });

  it('keeps its alias and its position among the others', async () => {
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

  it('that @skip or @include leaves out is not an error', async () => {
    const response = await askAnonymously('query A { time me @include(if: false) { name } }');
    expect(response.body).toEqual({ data: { time: 'now' } });
  });

  it('is fetched for a caller with the scope, also right after one without it', async () => {
    const query = 'query Same { product(id: 1) { cost } }';
    expect((await askAs([], query)).body.data).toEqual({ product: null });
    expect((await askAs(['costs:read'], query)).body.data).toEqual({ product: { cost: 60 } });
    expect((await askAs([], query)).body.data).toEqual({ product: null });
  });
});

describe('authorization.directives.enabled: false', () => {
  it('leaves authorization to the subgraphs', async () => {
    await using open = await startTestGateway({
      config: 'authorization: { directives: { enabled: false } }',
    });
    expect((await open.post({ query: 'query A { me { name } }' })).body).toEqual({
      data: { me: { name: 'Alice' } },
    });
  });
});

describe('authorization.directives', () => {
  const query =
    'query A { time product(id: 1) { name supplier { name } } topProducts(first: 2) { id cost } }';
  const other = useTestGateway();

  /** The response of a gateway with these keys to an anonymous caller. */
  async function askUnder(
    directives: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ClientSideResponse> {
    await other.start({ config: `authorization: { directives: { ${directives} } }` });
    return await other.post({ query }, headers);
  }

  const paths = ['product.supplier', 'topProducts.0.cost', 'topProducts.1.cost'];
  const whole = {
    time: 'now',
    product: { name: 'Product 1', supplier: { name: expect.any(String) } },
    topProducts: [
      { id: '1', cost: 60 },
      { id: '2', cost: expect.any(Number) },
    ],
  };

  it('dry_run sends the fields, with an error for each', async () => {
    const response = await askUnder('dry_run: true');
    expect(response.body.data).toEqual(whole);
    expect(deniedPaths(response)).toEqual(paths);
  });

  it('reject_unauthorized runs nothing, and names the paths', async () => {
    for (const [accept, status] of [
      ['application/json', 200],
      ['application/graphql-response+json', 403],
    ] as const) {
      const response = await askUnder('reject_unauthorized: true', { accept });
      expect([response.status, deniedPaths(response)]).toEqual([
        status,
        ['product.supplier', 'topProducts.@.cost'],
      ]);
      expect(response.body.data).toBeUndefined();
      expect(other.products.received).toEqual([]);
    }
  });

  it('reject_unauthorized runs an operation of which the caller may see all', async () => {
    await other.start({ config: 'authorization: { directives: { reject_unauthorized: true } }' });
    expect((await other.post({ query: 'query A { time }' })).body).toEqual({ data: { time: 'now' } });
  });

  it('errors.response puts the errors into the extensions, or leaves them out', async () => {
    const extensions = await askUnder('errors: { response: extensions }');
    expect(extensions.body).toMatchObject({
      data: { time: 'now', product: { supplier: null }, topProducts: [null, null] },
      extensions: {
        authorizationErrors: paths.map((path) => ({
          path: path.split('.').map((key) => (/^\d$/.test(key) ? Number(key) : key)),
          extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
        })),
      },
    });
    expect(extensions.body.errors).toBeUndefined();
    const disabled = await askUnder('errors: { response: disabled }');
    expect(Object.keys(disabled.body)).toEqual(['data']);
  });

  it('errors.response never makes a cut response cacheable', async () => {
    await other.start({ config: 'authorization: { directives: { errors: { response: disabled } } }' });
    const { headers } = await other.get({ query: 'query A { time me { name } }' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('errors.log writes the paths into the log', async () => {
    await askUnder('errors: { log: true }');
    await other.logged({ unauthorizedPaths: paths });
    await askUnder('');
    expect(other.log).not.toContainEqual(expect.objectContaining({ unauthorizedPaths: paths }));
  });
});
