import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DevelopmentTokenClaims } from '@meridian/auth/development';
import { createTestIdentity } from '@meridian/testing';

import { createRsaIssuer } from '../../attacks/attacked-gateway.ts';
import { respondJson } from '../../support/stub-subgraph.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';
import { useInSuite } from '../../support/use-in-suite.ts';

const query = 'query A { time }';
const forwardsAuthorization =
  'headers: { subgraphs: { products: { request: { operations: [{ propagate: { named: authorization } }] } } } }';

const gateway = useTestGateway();

/** Has the products subgraph hold its answers, which say who asked, until all requests are on their way. */
function holdResponses(): { readonly release: () => Promise<void> } {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  gateway.products.misbehave(async (response, { headers }) => {
    await released;
    respondJson(response, { data: { time: `of ${headers.authorization ?? 'nobody'}`, rename: { id: '1' } } });
  });
  return {
    async release() {
      // Earlier requests are under way once this one has been to another subgraph and back.
      await gateway.post({ query: 'query Probe { review(id: 1) { id } }' });
      await gateway.post({ query: 'query Probe { review(id: 2) { id } }' });
      resolve();
    },
  };
}

describe('Equal queries in flight', () => {
  beforeAll(() =>
    gateway.start({
      config: forwardsAuthorization,
    }),
  );
  it('are one request to the subgraph when they carry the same token', async () => {
    const { release } = holdResponses();
    const responses = [1, 2, 3].map(() => gateway.post({ query }, { authorization: 'Bearer acme' }));
    await release();
    const bodies = (await Promise.all(responses)).map(({ body }) => body);
    expect(bodies).toEqual(Array.from({ length: 3 }, () => ({ data: { time: 'of Bearer acme' } })));
    expect(gateway.products.received).toHaveLength(1);
  });

  it('never share a byte between two tenants', async () => {
    const { release } = holdResponses();
    const tenants = ['acme', 'globex', 'acme', 'globex'];
    const responses = tenants.map((tenant) => gateway.post({ query }, { authorization: `Bearer ${tenant}` }));
    await release();
    const times = (await Promise.all(responses)).map(({ body }) => body.data?.['time']);
    expect(times).toEqual(tenants.map((tenant) => `of Bearer ${tenant}`));
    expect(gateway.products.received).toHaveLength(2);
  });

  it('go on for the others when one client goes away, even the first', async () => {
    const { release } = holdResponses();
    const leaving = new AbortController();
    const first = gateway.send({ query }, {}, leaving.signal);
    const others = [gateway.post({ query }), gateway.post({ query })];
    leaving.abort();
    await expect(first).rejects.toThrow('aborted');
    await release();
    expect((await Promise.all(others)).map(({ body }) => body.data)).toEqual([
      { time: 'of nobody' },
      { time: 'of nobody' },
    ]);
  });

  it('are deduplicated only when they are not mutations', async () => {
    const { release } = holdResponses();
    const mutation = 'mutation B { rename(id: 1, name: "x") { id } }';
    const responses = [gateway.post({ query: mutation }), gateway.post({ query: mutation })];
    await release();
    await Promise.all(responses);
    expect(gateway.products.received).toHaveLength(2);
  });
});

describe('meridian.deduplicate_requests', () => {
  const identity = useInSuite(createTestIdentity);

  beforeAll(() =>
    gateway.start({
      config: `
        meridian: { deduplicate_requests: true, authentication: { tenant_claim: tenant_id } }
        traffic_shaping: { all: { deduplicate_query: false } }
        authentication: { router: { jwt: { jwks: [{ url: "\${env.JWKS_URL}", issuers: ["\${env.JWT_ISSUER}"] }] } } }
      `,
      env: { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
    }),
  );

  /** The number of runs for three requests, the third of which differs. */
  const runsOf = async ({
    operation = named('A'),
    variables = { isNamed: false },
    claims,
  }: Asking): Promise<number> => {
    const request = { query: named('A'), variables: { isNamed: false } };
    const [token, otherToken] = [await identity.token(), await identity.token(claims)];
    const { release } = holdResponses();
    const responses = [
      gateway.post(request, { authorization: `Bearer ${token}` }),
      gateway.post(request, { authorization: `Bearer ${token}` }),
      gateway.post({ query: operation, variables }, { authorization: `Bearer ${otherToken}` }),
    ];
    await release();
    for (const { body } of await Promise.all(responses)) {
      expect(body).toMatchObject({ data: { time: 'of nobody' } });
    }
    return gateway.products.received.length;
  };

  it('runs equal queries of one caller once', async () => {
    expect(await runsOf({})).toBe(1);
  });

  it.each<[string, Asking]>([
    ['tenant', { claims: { tenant: 'globex' } }],
    ['subject', { claims: { subject: 'bob' } }],
    ['scope', { claims: { scopes: ['products:write'] } }],
    ['policy', { claims: { policies: ['vip'] } }],
    ['operation', { operation: named('B') }],
    ['variable', { variables: { isNamed: true } }],
  ])('never shares an execution with another %s', async (_what, other) => {
    expect(await runsOf(other)).toBe(2);
  });

  it('never shares an execution that began before a mutation had ended', async () => {
    const first = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    gateway.products.misbehave((response) => {
      arrived.resolve();
      void first.promise.then(() => respondJson(response, { data: { time: 'before' } }));
    });
    const request = { query: named('A'), variables: { isNamed: false } };
    const slow = gateway.post(request);
    await arrived.promise;
    gateway.products.reset();
    await gateway.post({ query: 'mutation B { rename(id: 1, name: "x") { id } }' });
    expect((await gateway.post(request)).body).toEqual({ data: { time: 'now' } });
    first.resolve();
    expect((await slow).body).toEqual({ data: { time: 'before' } });
  });
});

describe('Callers whose tokens have no sub', () => {
  it('never share an execution, and no subgraph gets a subject for them', async () => {
    const issuer = await createRsaIssuer();
    await gateway.start({
      config: `
        meridian: { deduplicate_requests: true }
        traffic_shaping: { all: { deduplicate_query: false } }
        authentication: { router: { jwt: { jwks: [{ url: "${issuer.jwksUrl}", issuers: ["${issuer.issuer}"] }] } } }
        headers: { all: { request: { operations: [{ insert: { name: x-subject, from_context: "meridian::subject" } }] } } }
      `,
    });
    const [one, other] = ['one', 'other'].map((jti) => issuer.sign({ sub: undefined, jti }));
    const { release } = holdResponses();
    const responses = [one, one, other].map((token) =>
      gateway.post({ query }, { authorization: `Bearer ${token}` }),
    );
    await release();
    for (const { body } of await Promise.all(responses)) {
      expect(body).toEqual({ data: { time: 'of nobody' } });
    }
    expect(gateway.products.received).toHaveLength(2);
    for (const { headers } of gateway.products.received) {
      expect(headers).not.toHaveProperty('x-subject');
    }
    await gateway.close();
    await issuer.close();
  });
});

/** An operation that asks the subgraph for the same, whatever its variable. */
function named(name: string): string {
  return `query ${name}($isNamed: Boolean!) { time __typename @include(if: $isNamed) }`;
}

interface Asking {
  readonly operation?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly claims?: DevelopmentTokenClaims;
}

describe('traffic_shaping.subgraphs.*.deduplicate_query: false', () => {
  it('sends each query', async () => {
    await gateway.start({
      config: 'traffic_shaping: { subgraphs: { products: { deduplicate_query: false } } }',
    });
    const { release } = holdResponses();
    const responses = [gateway.post({ query }), gateway.post({ query })];
    await release();
    await Promise.all(responses);
    expect(gateway.products.received).toHaveLength(2);
    await gateway.close();
  });
});
