// The callers that see a response of the cache: for each difference between two of them, and each head of the response.
//
// Spec: Authentication, rule 5.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RedisServer } from '@meridian/testing';
import { eventually, startRedisServer } from '@meridian/testing';

import type { RsaIssuer } from '../../attacks/attacked-gateway.ts';
import { createRsaIssuer } from '../../attacks/attacked-gateway.ts';
import { withHooks } from '../../hooks/with-hooks.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';
import { respond } from './cached-shop.ts';

type Fields = Readonly<Record<string, string>>;
type Scope = 'public' | 'caller' | 'private';

let redis: RedisServer;
let issuer: RsaIssuer;
let queries = 0;
const gateway = useTestGateway();

beforeAll(async () => {
  [redis, issuer] = await Promise.all([startRedisServer(), createRsaIssuer()]);
});
afterAll(async () => {
  await issuer.close();
  await redis.close();
});

/** The heads of responses, and whether callers with the same rights share them. */
const heads: readonly (readonly [Fields, Scope])[] = [
  [{ 'Cache-Control': 'max-age=60' }, 'caller'],
  [{ 'Cache-Control': 'max-age=60, public' }, 'public'],
  [{ 'Cache-Control': 's-maxage=60' }, 'public'],
  [{ 'Cache-Control': 'max-age=60', Vary: 'Authorization' }, 'caller'],
  [{ 'Cache-Control': 'max-age=60, public', Vary: 'Accept, Authorization' }, 'caller'],
  [{ 'Cache-Control': 'max-age=60, public', Vary: 'Cookie' }, 'caller'],
  [{ 'Cache-Control': 'max-age=60, private' }, 'private'],
];

const passedOn = 'headers: { all: { request: { operations: [ { propagate: { named: authorization } } ] } } }';
const verified = (more = ''): string => `
authentication: { router: { jwt: { jwks: [ { url: '${issuer.jwksUrl}', issuers: ['${issuer.issuer}', 'other'] } ], ${more} } } }
${passedOn}`;
const byTenant = 'meridian: { authentication: { tenant_claim: tenant_id } }';
const development = { env: { NODE_ENV: 'development' } };

function settings(privateId = 'meridian::subject'): string {
  return `
response_cache:
  enabled: true
  subgraph:
    all: { private_id: '${privateId}', redis: { urls: ['${redis.url}'], fetch_timeout: 5s, insert_timeout: 5s, required_to_start: true } }
`;
}

const claims = { sub: 'alice', tenant_id: 'acme', scope: 'a', policies: ['finance'] };
const tokenOf = (others: object = {}): string =>
  `Bearer ${issuer.sign({ ...claims, nbf: 0, exp: 4_000_000_000, ...others })}`;
const bearer = (others: object = {}): Fields => ({ authorization: tokenOf(others) });
const anonymous = (): Fields => ({});

/**
 * Sends a query for each head, as one caller and then as another. Returns the heads whose responses the other one gets too.
 *
 * @param isNamed true where `private_id` names the first one
 */
async function sharedHeads(one: Fields, other: Fields, isNamed: boolean): Promise<readonly Fields[]> {
  const shared: Fields[] = [];
  for (const [head, scope] of heads) {
    respond(gateway, { headers: head });
    queries += 1;
    const query = `query A { product(id: "${queries}") { name } }`;
    /* oxlint-disable no-await-in-loop -- one after another */
    const before = await writes();
    gateway.products.received.length = 0;
    expect((await gateway.post({ query }, one)).body.errors).toBeUndefined();
    expect(gateway.products.received).toHaveLength(1);
    const kept = scope !== 'private' || isNamed ? 1 : 0;
    await eventually(async () => expect(await writes()).toBe(before + kept));
    // Not kept: what follows counts the writes again.
    respond(gateway, {});
    await gateway.post({ query }, other);
    /* oxlint-enable no-await-in-loop */
    if (gateway.products.received.length === 1) {
      shared.push(head);
    }
  }
  return shared;
}

async function writes(): Promise<number> {
  const counted = /response_cache_insert_seconds_count\{[^}]*subgraph_name="products"[^}]*\} (\d+)/.exec(
    await gateway.metrics(),
  );
  return Number(counted?.[1] ?? 0);
}

function headsOf(scopes: readonly Scope[]): readonly Fields[] {
  return heads.flatMap(([head, scope]) => (scopes.includes(scope) ? [head] : []));
}

type Row = readonly [what: string, one: () => Fields, other: () => Fields, shared: readonly Scope[]];

describe('Where the gateway verifies the token that the subgraph gets, callers share', () => {
  beforeAll(() => gateway.start({ ...development, config: `${settings()}${verified()}\n${byTenant}` }));

  it.each<Row>([
    ['all, with one token', bearer, bearer, ['public', 'caller', 'private']],
    ['with another token of the caller', bearer, () => bearer({ jti: '2' }), ['public', 'private']],
    ['with another subject', bearer, () => bearer({ sub: 'bob' }), ['public']],
    ['with another tenant', bearer, () => bearer({ tenant_id: 'globex' }), []],
    ['with other scopes', bearer, () => bearer({ scope: 'a b' }), []],
    ['with other policies', bearer, () => bearer({ policies: ['audit'] }), []],
    ['with another issuer', bearer, () => bearer({ iss: 'other' }), []],
    ['without a token, after one with', bearer, anonymous, []],
    ['with a token, after one without', anonymous, bearer, []],
    ['all that is not private, without a token', anonymous, anonymous, ['public', 'caller']],
  ])('%s', async (_what, one, other, shared) => {
    const fields = one();
    expect(await sharedHeads(fields, other(), 'authorization' in fields)).toEqual(headsOf(shared));
  });
});

describe('Where the gateway does not verify tokens, callers share', () => {
  beforeAll(() => gateway.start({ config: `${settings()}${passedOn}` }));

  it.each<Row>([
    ['what is not private, with one token', bearer, bearer, ['public', 'caller']],
    ['nothing with another token', bearer, () => bearer({ sub: 'bob' }), []],
    ['nothing with a forged one', bearer, () => ({ authorization: 'Bearer forged' }), []],
    ['nothing without a token, after one with', bearer, anonymous, []],
    ['nothing with a token, after one without', anonymous, bearer, []],
    ['what is not private, without a token', anonymous, anonymous, ['public', 'caller']],
  ])('%s', async (_what, one, other, shared) => {
    expect(await sharedHeads(one(), other(), false)).toEqual(headsOf(shared));
  });
});

describe('Where the verified token is in another field than Authorization, callers share', () => {
  const caller = (authorization?: string, others = {}): Fields => ({
    'x-token': tokenOf(others),
    ...(authorization !== undefined && { authorization }),
  });

  beforeAll(() =>
    gateway.start({
      ...development,
      config: `${settings()}${verified('header_name: x-token')}\n${byTenant}`,
    }),
  );

  it.each<Row>([
    ['all, with equal fields', () => caller('a'), () => caller('a'), ['public', 'caller', 'private']],
    ['nothing with another Authorization', () => caller('a'), () => caller('b'), []],
    ['nothing without Authorization', () => caller('a'), caller, []],
    ['nothing with another tenant', caller, () => caller(undefined, { tenant_id: 'globex' }), []],
    [
      'what is not private, where the subgraph gets no token',
      caller,
      () => caller(undefined, { sub: 'bob' }),
      ['public', 'caller'],
    ],
  ])('%s', async (_what, one, other, shared) => {
    expect(await sharedHeads(one(), other(), true)).toEqual(headsOf(shared));
  });
});

describe('Where a hook sets the token, or names the caller', () => {
  const hooks = `{
    supergraph: { request: ({ headers, context }) => { context.set('user', headers.get('x-user')); } },
    subgraph: { request: (call) => {
      const token = call.context.get('user');
      if (token?.startsWith('Bearer')) { call.headers.set('authorization', token); }
    } },
  }`;

  it('callers share nothing with another token of the hook', async () => {
    await gateway.start(withHooks(hooks, `${settings()}${verified()}`, development));
    const caller = (token: string): Fields => ({ ...bearer(), 'x-user': `Bearer ${token}` });
    expect(await sharedHeads(caller('a'), caller('b'), true)).toEqual([]);
    expect(await sharedHeads(caller('a'), caller('a'), true)).toEqual(
      headsOf(['public', 'caller', 'private']),
    );
  });

  it('callers with tokens that are not verified share nothing under one name', async () => {
    await gateway.start(withHooks(hooks, `${settings('user')}${passedOn}`));
    const caller = (token: string): Fields => ({ authorization: token, 'x-user': 'alice' });
    expect(await sharedHeads(caller('a'), caller('b'), true)).toEqual([]);
    expect(await sharedHeads(caller('a'), caller('a'), true)).toEqual(
      headsOf(['public', 'caller', 'private']),
    );
  });
});
