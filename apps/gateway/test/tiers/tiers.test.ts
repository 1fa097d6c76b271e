// `meridian.tiers`: limits by a claim of the caller's token.
import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import { readLimits } from '../../src/figures/judge-operation.ts';
import { tierOf } from '../../src/tiers/tiers.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const demand =
  'demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 20 } } }';
const tiers = `
  tiers:
    claim: sub
    default: free
    limits:
      free: { max_cost: 4 }
      pro: { max_cost: 100, throttle: { capacity: 50, interval: 1h } }
      internal: { throttle: { capacity: 1000, interval: 1h } }`;
const config = `
authentication: { router: { jwt: { jwks: [ { url: "\${env.JWKS_URL}", issuers: ["\${env.JWT_ISSUER}"] } ] } } }
traffic_shaping: { router: { global_rate_limit: { capacity: 900, interval: 1h } } }
${demand}
meridian:
  authentication: { tenant_claim: tenant_id }
  throttle: { unit: cost, tenant: { capacity: 8, interval: 1h } }
  overload: { max_event_loop_delay: 1h }`;

const gateway = useTestGateway();
const identity = useInSuite(createTestIdentity);

const start = (rest: string): Promise<void> =>
  gateway.start({
    config: config + rest,
    env: { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
  });

/** The status of an operation of this cost, and its `cost.max` where it is rejected for that. */
async function run(cost: number, caller?: { tenant?: string; subject?: string }): Promise<string> {
  const token = caller && (await identity.token(caller));
  const { status, body } = await gateway.post(
    { query: `query A { topProducts(first: ${cost}) { id } }` },
    {
      Accept: 'application/graphql-response+json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
  );
  const max = body.errors?.[0]?.extensions['cost.max'];
  return max === undefined ? String(status) : `${status} over ${Number(max)}`;
}

describe('meridian.tiers', () => {
  beforeAll(() => start(tiers));

  it.each([
    ['its own limit of cost', 5, { subject: 'free' }, '400 over 4'],
    ['a higher one than the common limit', 45, { subject: 'pro', tenant: 'a' }, '200'],
    ["the throttle's capacity of its tier", 51, { subject: 'pro', tenant: 'b' }, '400 over 50'],
    ['the common limit where it has none', 21, { subject: 'internal', tenant: 'c' }, '400 over 20'],
    ['the limits of the default where the claim names no tier', 5, { subject: 'unknown' }, '400 over 4'],
    ['the same where there is no claim', 5, {}, '400 over 4'],
    ['the same without a token', 5, undefined, '400 over 4'],
  ])('gives a caller %s', async (_, cost, caller, expected) => {
    expect(await run(cost, caller)).toBe(expected);
  });

  it('counts the tenants of a tier against its throttle, and others against the common one', async () => {
    const pro = { subject: 'pro', tenant: 'globex' };
    expect([await run(30, pro), await run(20, pro), await run(1, pro)]).toEqual(['200', '200', '429']);
    const free = { subject: 'free', tenant: 'globex' };
    expect([await run(4, free), await run(4, free), await run(1, free)]).toEqual(['200', '200', '429']);
  });

  it('counts rejections by tier and code', async () => {
    await run(5, { subject: 'free', tenant: 'counted' });
    await run(21, { subject: 'internal', tenant: 'counted' });
    const series = (await gateway.metrics()).match(/^meridian_tier_rejections_total\{.+\}/gm);
    expect(series).toEqual(
      expect.arrayContaining(
        ['free', 'internal'].map((tier): unknown =>
          expect.stringMatching(`tier="${tier}",code="COST_ESTIMATED_TOO_EXPENSIVE"`),
        ),
      ),
    );
  });

  it('counts rejected requests of a tier against it', async () => {
    const authorization = `Bearer ${await identity.token({ tenant: 'initech', subject: 'pro' })}`;
    for (let count = 0; count < 50; count += 1) {
      await gateway.post({ query: 'query A { nothing }' }, { authorization });
    }
    expect(await run(1, { subject: 'pro', tenant: 'initech' })).toBe('429');
  });
});

describe('The tier of a caller', () => {
  it.each([
    [['pro', 'other', 'basic'], 'basic'],
    [2, '2'],
    [[], 'free'],
    [undefined, 'free'],
    ['3', 'free'],
  ])('is the first that the claim has, of a list or a number too: %j', (claim, expected) => {
    const text = `meridian: { tiers: { claim: plan, default: free, limits: { basic: {}, pro: {}, free: {}, '2': {} } } }`;
    const claims = new Map([['plan', claim]]);
    expect(tierOf(readLimits(text).tiers, { claims })).toBe(expected);
  });
});

describe('Without tiers', () => {
  beforeAll(() => start(''));

  it("an anonymous caller is not rejected for the capacity of a tenant's throttle", async () => {
    expect([await run(15, {}), await run(15)]).toEqual(['400 over 8', '200']);
  });
});

describe('The limits of operations', () => {
  it('are the limits of the tier that may have the most: an operation beyond them runs for no caller', () => {
    const text = `${demand}\nmeridian:${tiers}`;
    expect(readLimits(text).cost.demand?.max).toBe(100);
    expect(readLimits(text.replace('max_cost: 100,', '')).cost.demand?.max).toBe(20);
  });

  it('are the limits of anonymous callers only where there may be some', () => {
    const shipped = readFileSync(new URL('../../../../router.yaml', import.meta.url), 'utf8');
    expect(readLimits(shipped).cost.throttleCapacity).toBe(1000);
    const open = shipped.replace('require_authentication: true', 'require_authentication: false');
    expect(readLimits(open).cost.throttleCapacity).toBe(2000);
  });
});
