// Callers of two tenants send equal operations at the same moment, with every cache and every deduplication on.
//
// Spec: Authentication, rules 2 and 5.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import { respondJson } from '../support/stub-subgraph.ts';
import type { ReceivedRequest, StubSubgraph } from '../support/stub-subgraph.ts';
import type { ClientSideResponse } from '../support/test-gateway.ts';
import { persisted } from '../support/test-gateway.ts';
import { forKnownCallers } from '../support/known-callers.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const page = `query Page {
  me { id name }
  topProducts(first: 2) { id name reviews(first: 2) { id body } }
}`;
const costs = 'query Costs { topProducts(first: 2) { id cost } }';

interface Caller {
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** Some differ in nothing but the tenant, some in nothing but the subject or the scopes. */
const callers: readonly Caller[] = [
  { tenant: 'acme', subject: 'alice', scopes: ['costs:read'] },
  { tenant: 'globex', subject: 'alice', scopes: ['costs:read'] },
  { tenant: 'acme', subject: 'bob', scopes: ['costs:read'] },
  { tenant: 'acme', subject: 'alice', scopes: [] },
];
const requestsOfEach = 25;

const identity = useInSuite(createTestIdentity);
const gateway = useTestGateway();
let tokens: ReadonlyMap<Caller, string>;

beforeAll(async () => {
  tokens = new Map(
    await Promise.all(callers.map(async (caller) => [caller, await identity.token(caller)] as const)),
  );
  await gateway.start(
    forKnownCallers(
      identity,
      { page, costs },
      `
authorization: { require_authentication: true }
headers: { all: { request: { operations: [ { propagate: { named: authorization } } ] } } }
meridian: { authentication: { tenant_claim: tenant_id, required_claims: [sub] } }
# Were one tenant's request to go out for another's too, its subgraphs would wait in vain for the others.
traffic_shaping: { deduplicate_variables: true, all: { deduplicate_query: true, timeout: 5s } }`,
    ),
  );
});
afterEach(() => {
  gateway.products.reset();
  gateway.reviews.reset();
});

/** The caller of a subgraph's request, read from the token, which is all that it knows. */
function callerIn({ authorization = '' }: IncomingHttpHeaders): { who: string; scope: string } {
  const [, claims = ''] = authorization.split('.');
  const {
    tenant_id: tenant,
    sub,
    scope,
  } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>;
  return { who: `${tenant}/${sub}`, scope: scope ?? '' };
}

/**
 * Lets a subgraph respond with the caller's own data as soon as all callers have called: until then, all their
 * requests are under way at once.
 */
function respondToEach(
  subgraph: StubSubgraph,
  callerCount: number,
  dataFor: (who: string, received: ReceivedRequest) => object,
): void {
  const called = new Set<string>();
  const allCalled = Promise.withResolvers<void>();
  subgraph.misbehave(async (response: ServerResponse, received) => {
    const { who, scope } = callerIn(received.headers);
    called.add(`${who} ${scope}`);
    if (called.size === callerCount) {
      allCalled.resolve();
    }
    await allCalled.promise;
    respondJson(response, { data: dataFor(who, received) });
  });
}

/** Sends one operation for every caller many times in one tick, half by GET, half by POST. */
async function everybodyAsks(id: string): Promise<{ caller: Caller; response: ClientSideResponse }[]> {
  const rounds = Array.from({ length: requestsOfEach }, (_, index) => index);
  return await Promise.all(
    rounds.flatMap((round) =>
      callers.map(async (caller) => {
        const headers = { authorization: `Bearer ${tokens.get(caller)}` };
        const response =
          round % 2 === 0
            ? await gateway.get(persisted(id), headers)
            : await gateway.post(persisted(id), headers);
        return { caller, response };
      }),
    ),
  );
}

const productIds = ['1', '2'];

describe('Callers of two tenants with the same query in the same tick', () => {
  it('each get their own data, byte for byte, though equal requests under way are one', async () => {
    // Keys, entities and operation are equal for all: only the caller differs.
    respondToEach(gateway.products, callers.length, (who) => ({
      me: { id: who, name: `Name of ${who}` },
      topProducts: productIds.map((id) => ({ __typename: 'Product', id, name: `Product ${id} of ${who}` })),
    }));
    respondToEach(gateway.reviews, callers.length, (who) => ({
      _entities: productIds.map((id) => ({
        __typename: 'Product',
        reviews: [{ id, body: `Seen by ${who}` }],
      })),
    }));

    const responses = await everybodyAsks('page');
    for (const { caller, response } of responses) {
      const who = `${caller.tenant}/${caller.subject}`;
      expect(response.body).toEqual({
        data: {
          me: { id: who, name: `Name of ${who}` },
          topProducts: productIds.map((id) => ({
            id,
            name: `Product ${id} of ${who}`,
            reviews: [{ id, body: `Seen by ${who}` }],
          })),
        },
      });
    }
    expect(responses).toHaveLength(callers.length * requestsOfEach);
    // Deduplication was on, so the test proves something.
    expect(gateway.products.received.length).toBeLessThan(responses.length);
    expect(gateway.reviews.received.length).toBeLessThan(responses.length);
  });

  it('each get validators that no other caller has', async () => {
    respondToEach(gateway.products, callers.length, (who) => ({
      me: { id: who, name: who },
      topProducts: [],
    }));
    const responses = await everybodyAsks('page');
    const tagsOf = (tenant: string): Set<string | null> =>
      new Set(
        responses
          .filter(({ caller, response }) => caller.tenant === tenant && response.headers.has('etag'))
          .map(({ response }) => response.headers.get('etag')),
      );
    expect(tagsOf('acme').size).toBeGreaterThan(0);
    expect([...tagsOf('acme')].filter((tag) => tagsOf('globex').has(tag))).toEqual([]);
    expect(new Set(responses.map(({ response }) => response.headers.get('vary')))).toEqual(
      new Set(['Accept, Authorization']),
    );
    for (const { response } of responses) {
      expect(response.headers.get('cache-control')).toMatch(/^(?:.*, )?private|^private/);
    }
  });

  it('see a field that needs a scope only with the scope, and only their own value of it', async () => {
    respondToEach(gateway.products, callers.length, (who, { body }) => ({
      topProducts: productIds.map((id) => ({
        __typename: 'Product',
        id,
        ...(body.query.includes('cost') && { cost: who.length }),
      })),
    }));
    for (const { caller, response } of await everybodyAsks('costs')) {
      const may = caller.scopes.includes('costs:read');
      const own = `${caller.tenant}/${caller.subject}`.length;
      expect(response.body.data).toEqual({
        topProducts: may ? productIds.map((id) => ({ id, cost: own })) : [null, null],
      });
      expect(response.code).toBe(may ? undefined : 'UNAUTHORIZED_FIELD_OR_TYPE');
    }
  });
});
