import { describe, expect, it } from '@jest/globals';
import { createLocalRateLimiter } from '@meridian/shared-state';
import type { RateLimiter, Consumption } from '@meridian/shared-state';

import { createThrottle } from '../../../src/pipeline/4-admit/throttle.ts';
import type { Throttle } from '../../../src/pipeline/4-admit/throttle.ts';
import { RequestError } from '../../../src/errors/request-error.ts';
import { startTestGateway } from '../../support/test-gateway.ts';

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

  it('returns the longest wait of the limits that refuse', async () => {
    const limitOf = (intervalMs: number): RateLimiter =>
      createLocalRateLimiter({ capacity: 1, intervalMs }, () => 0);
    const throttle = createThrottle({ global: limitOf(2000), tenant: limitOf(7000) });
    await admit(throttle, 1, 'acme');
    expect(await retryAfter(admit(throttle, 1, 'acme'))).toBe('7');
  });

  it('consumes from all limits at once, without waiting for one after another', async () => {
    const asked: string[] = [];
    const responses = Promise.withResolvers<Consumption>();
    const slow = (name: string): RateLimiter => ({
      async consume() {
        asked.push(name);
        return await responses.promise;
      },
      refund() {},
    });
    const admission = admit(createThrottle({ global: slow('global'), tenant: slow('tenant') }), 1, 'acme');
    expect(asked).toEqual(['global', 'tenant']);
    responses.resolve({ isTaken: true });
    expect(await isRefused(admission)).toBe(false);
  });

  it('admits everything without limits', async () => {
    expect(await isRefused(admit(started({}), 1e9, 'acme'))).toBe(false);
  });
});

describe('traffic_shaping.router.global_rate_limit', () => {
  const inRequests = 'traffic_shaping: { router: { global_rate_limit: { capacity: 10, interval: 1h } } }';
  const config = `${inRequests}\nmeridian: { throttle: { unit: cost } }`;
  const dear = { query: 'query A { topProducts(first: 8) { id } }' };

  it('answers 429 REQUEST_RATE_LIMITED with Retry-After when it is used up, as JSON whatever Accept says', async () => {
    const gateway = await startTestGateway({ config });
    await gateway.post(dear);
    const { status, code, headers } = await gateway.post(dear, {
      Accept: 'application/graphql-response+json',
    });
    expect({ status, code, type: headers.get('content-type') }).toEqual({
      status: 429,
      code: 'REQUEST_RATE_LIMITED',
      type: 'application/json',
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    await gateway.close();
  });

  it('counts request errors', async () => {
    const gateway = await startTestGateway({ config });
    await gateway.post({ query: '{' });
    await gateway.post('{');
    await gateway.post({ query: 'query A { nothing }' });
    expect((await gateway.post(dear)).status).toBe(429);
    await gateway.close();
  });

  it('counts requests, as in Apollo Router, when meridian.throttle.unit is absent', async () => {
    const gateway = await startTestGateway({ config: inRequests });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await gateway.post(dear)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    await gateway.close();
  });
});

/** A throttle with these capacities for an hour. */
function started({ global, tenant }: { readonly global?: number; readonly tenant?: number }): Throttle {
  const rateLimiter = (capacity: number | undefined): RateLimiter | undefined =>
    capacity === undefined ? undefined : createLocalRateLimiter({ capacity, intervalMs: 3_600_000 });
  return createThrottle({ global: rateLimiter(global), tenant: rateLimiter(tenant) });
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
