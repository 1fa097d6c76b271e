import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalRateLimiter } from '@meridian/shared-state';
import type { RateLimiter } from '@meridian/shared-state';
import { createTestIdentity } from '@meridian/testing';

import { createThrottle } from '../../src/interceptors/throttle.ts';
import { RequestError } from '../../src/errors/request-error.ts';
import type { TestGateway } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

type Throttle = ReturnType<typeof createThrottle>;

/** Rejects where the throttle throws at once. */
async function admit(throttle: Throttle, cost: number, tenantId: string | undefined): Promise<void> {
  await throttle.admit(cost, tenantId);
}

describe('createThrottle', () => {
  it('counts cost, not requests', async () => {
    const throttle = started({ global: 10 });
    await admit(throttle, 9, 'acme');
    expect(await isRefused(admit(throttle, 2, 'acme'))).toBe(true);
    expect(await isRefused(admit(throttle, 1, 'acme'))).toBe(false);
  });

  it('counts every request at least 1, request errors included', async () => {
    const throttle = started({ global: 2 });
    await admit(throttle, 0, 'acme');
    throttle.countRejected('acme');
    expect(await isRefused(admit(throttle, 0, 'acme'))).toBe(true);
  });

  it('rounds a fraction up', async () => {
    const throttle = started({ global: 3 });
    await admit(throttle, 1.5, 'acme');
    expect(await isRefused(admit(throttle, 1.5, 'acme'))).toBe(true);
  });

  it('returns the wait in whole seconds', async () => {
    const clock = { ms: 0 };
    const global = createLocalRateLimiter({ capacity: 1, intervalMs: 3500 }, () => clock.ms);
    const throttle = createThrottle({ global });
    await admit(throttle, 1, 'acme');
    clock.ms += 1000;
    expect(await retryAfter(admit(throttle, 1, 'acme'))).toBe('3');
  });

  it('counts each tenant by itself', async () => {
    const throttle = started({ tenant: 1 });
    await admit(throttle, 1, 'acme');
    expect(await isRefused(admit(throttle, 1, 'acme'))).toBe(true);
    expect(await isRefused(admit(throttle, 1, 'globex'))).toBe(false);
    expect(await isRefused(admit(throttle, 1, undefined))).toBe(false);
  });

  it('counts nothing for a request that one of its limits refuses', async () => {
    const throttle = started({ global: 10, tenant: 4 });
    expect(await isRefused(admit(throttle, 5, 'acme'))).toBe(true);
    expect(await isRefused(admit(throttle, 4, 'acme'))).toBe(false);
    expect(await isRefused(admit(throttle, 4, 'globex'))).toBe(false);
  });

  it("returns the wait of the tenant's limit, or else of the limit of all", async () => {
    const limitOf = (capacity: number, intervalMs: number): RateLimiter =>
      createLocalRateLimiter({ capacity, intervalMs }, () => 0);
    const throttle = createThrottle({ global: limitOf(1, 2000), tenant: limitOf(1, 7000) });
    await admit(throttle, 1, 'acme');
    expect(await retryAfter(admit(throttle, 1, 'acme'))).toBe('7');
    expect(await retryAfter(admit(throttle, 1, 'globex'))).toBe('2');
  });

  it('asks the limit of all only for what the tenant has left, also where limits are shared with other processes', async () => {
    const consumed: string[] = [];
    const shared = (name: string, capacity: number): RateLimiter => {
      const limiter = createLocalRateLimiter({ capacity, intervalMs: 3_600_000 });
      return {
        async consume(key, amount) {
          consumed.push(`${name} ${amount}`);
          return await Promise.resolve(limiter.consume(key, amount));
        },
        refund: (key, amount) => limiter.refund(key, amount),
      };
    };
    const throttle = createThrottle({ global: shared('all', 20), tenant: shared('tenant', 10) });
    expect(await isRefused(admit(throttle, 8, 'acme'))).toBe(false);
    expect(await isRefused(admit(throttle, 8, 'acme'))).toBe(true);
    expect(consumed).toEqual(['tenant 8', 'all 8', 'tenant 8']);
  });

  it('counts no rejected request of a tenant without anything left against the others', async () => {
    const throttle = started({ global: 4, tenant: 2 });
    for (let count = 0; count < 10; count += 1) {
      throttle.countRejected('acme');
    }
    expect(await isRefused(admit(throttle, 2, 'globex'))).toBe(false);
  });

  it('counts a request that is rejected before its caller is known against its peer alone', async () => {
    const peer = createLocalRateLimiter({ capacity: 2, intervalMs: 3_600_000 });
    const throttle = createThrottle({ global: rateLimiter(1), peer });
    const codes = ['a', 'a', 'a', 'b'].map((address) => throttle.countUnidentified(address) !== undefined);
    expect(codes).toEqual([false, false, true, false]);
    expect(await isRefused(admit(throttle, 1, 'acme'))).toBe(false);
  });

  it('admits everything without limits', async () => {
    expect(await isRefused(admit(started({}), 1e9, 'acme'))).toBe(false);
  });
});

describe('traffic_shaping.router.global_rate_limit', () => {
  const inRequests = 'traffic_shaping: { router: { global_rate_limit: { capacity: 10, interval: 1h } } }';
  const config = `${inRequests}\nmeridian: { throttle: { unit: cost } }`;
  const expensive = { query: 'query A { topProducts(first: 8) { id } }' };

  it('answers 429 REQUEST_RATE_LIMITED with Retry-After when it is used up, as JSON whatever Accept says', async () => {
    await using gateway = await startTestGateway({ config });
    await gateway.post(expensive);
    const { status, code, headers } = await gateway.post(expensive, {
      Accept: 'application/graphql-response+json',
    });
    expect({ status, code, type: headers.get('content-type') }).toEqual({
      status: 429,
      code: 'REQUEST_RATE_LIMITED',
      type: 'application/json',
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('counts request errors', async () => {
    await using gateway = await startTestGateway({ config });
    await gateway.post({ query: '{' });
    await gateway.post('{');
    await gateway.post({ query: 'query A { nothing }' });
    expect((await gateway.post(expensive)).status).toBe(429);
  });

  it('counts requests, as in Apollo Router, when meridian.throttle.unit is absent', async () => {
    await using gateway = await startTestGateway({ config: inRequests });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await gateway.post(expensive)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});

describe('The throttle of a gateway that requires tokens', () => {
  const identity = useInSuite(createTestIdentity);
  let gateway: TestGateway;

  // Each try of a test has limits of its own.
  beforeEach(async () => {
    gateway = await startTestGateway({
      config: `
        authentication: { router: { jwt: { jwks: [ { url: "\${env.JWKS_URL}", issuers: ["\${env.JWT_ISSUER}"] } ] } } }
        authorization: { require_authentication: true }
        traffic_shaping: { router: { global_rate_limit: { capacity: 40, interval: 1h } } }
        meridian:
          authentication: { tenant_claim: tenant_id }
          throttle: { unit: cost, tenant: { capacity: 20, interval: 1h } }
          overload: { max_event_loop_delay: 1h }
      `,
      env: { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
    });
  });
  afterEach(() => gateway.close());

  const cheap = { query: 'query A { time }' };
  const authorizationOf = async (tenant: string) => `Bearer ${await identity.token({ tenant })}`;

  it('counts what is rejected before its caller is known against the peer alone: then 429 with Retry-After', async () => {
    const attempts: (() => Promise<Response>)[] = [
      () => fetch(`${gateway.url}?query=x`),
      () => fetch(gateway.url, { method: 'POST', body: 'x' }),
      () => fetch(gateway.url, { method: 'DELETE' }),
      () => send(cheap, {}),
      () => send(cheap, { Authorization: 'Bearer nonsense' }),
      () => send(cheap, { Authorization: 'Basic YTpi' }),
    ];
    const responses: Response[] = [];
    for (let count = 0; count < 10; count += 1) {
      for (const attempt of attempts) {
        responses.push(await attempt());
      }
    }
    expect(new Set(responses.slice(0, 40).map(({ status }) => status))).toEqual(
      new Set([400, 415, 405, 401]),
    );
    for (const response of responses.slice(40)) {
      expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true]);
    }
    const authorization = await authorizationOf('initech');
    expect((await gateway.post(cheap, { authorization })).status).toBe(200);
  });

  it('lets no tenant use up what belongs to another, with what is admitted and with what is rejected', async () => {
    const authorization = await authorizationOf('acme');
    const statuses = new Set<number>();
    for (let count = 0; count < 60; count += 1) {
      const rejected = { query: 'query A { nothing }' };
      statuses.add((await gateway.post(count % 2 === 0 ? cheap : rejected, { authorization })).status);
    }
    expect(statuses).toEqual(new Set([200, 429]));
    const other = { authorization: await authorizationOf('globex') };
    for (let count = 0; count < 15; count += 1) {
      expect((await gateway.post(cheap, other)).status).toBe(200);
    }
  });

  const send = (body: object, headers: Readonly<Record<string, string>>): Promise<Response> =>
    gateway.send(body, headers);
});

/** A throttle with these capacities for an hour. */
function started({ global, tenant }: { readonly global?: number; readonly tenant?: number }): Throttle {
  return createThrottle({ global: rateLimiter(global), tenant: rateLimiter(tenant) });
}

function rateLimiter(capacity: number | undefined): RateLimiter | undefined {
  return capacity === undefined ? undefined : createLocalRateLimiter({ capacity, intervalMs: 3_600_000 });
}

async function isRefused(admission: Promise<void>): Promise<boolean> {
  return (await retryAfter(admission)) !== undefined;
}

async function retryAfter(admission: Promise<void>): Promise<string | undefined> {
  try {
    await admission;
    return undefined;
  } catch (error) {
    if (error instanceof RequestError && error.code === 'REQUEST_RATE_LIMITED') {
      return error.headers['Retry-After'];
    }
    throw error;
  }
}
