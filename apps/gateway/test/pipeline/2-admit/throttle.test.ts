import { describe, expect, it } from '@jest/globals';

import { createThrottle } from '../../../src/pipeline/2-admit/throttle.ts';
import type { ThrottleOptions } from '../../../src/pipeline/2-admit/throttle.ts';
import { Refusal } from '../../../src/refusal.ts';
import { startTestGateway } from '../../support/test-gateway.ts';

describe('createThrottle', () => {
  it('counts cost, not requests', () => {
    const { throttle } = started({ global: { capacity: 10, intervalMs: 1000 } });
    throttle.admit(9, 'acme');
    expect(refused(() => throttle.admit(2, 'acme'))).toBe(true);
    expect(refused(() => throttle.admit(1, 'acme'))).toBe(false);
  });

  it('counts every request at least 1, refused ones included', () => {
    const { throttle } = started({ global: { capacity: 2, intervalMs: 1000 } });
    throttle.admit(0, 'acme');
    throttle.countRefused('acme');
    expect(refused(() => throttle.admit(0, 'acme'))).toBe(true);
  });

  it('has the whole capacity again when the interval is over', () => {
    const { throttle, clock } = started({ global: { capacity: 1, intervalMs: 1000 } });
    throttle.admit(1, 'acme');
    clock.ms += 999;
    expect(refused(() => throttle.admit(1, 'acme'))).toBe(true);
    clock.ms += 1;
    expect(refused(() => throttle.admit(1, 'acme'))).toBe(false);
  });

  it('says when to try again, in whole seconds', () => {
    const { throttle, clock } = started({ global: { capacity: 1, intervalMs: 3500 } });
    throttle.admit(1, 'acme');
    clock.ms += 1000;
    expect(retryAfter(() => throttle.admit(1, 'acme'))).toBe('3');
  });

  it('holds for each tenant by itself', () => {
    const { throttle } = started({ tenant: { capacity: 1, intervalMs: 1000 } });
    throttle.admit(1, 'acme');
    expect(refused(() => throttle.admit(1, 'acme'))).toBe(true);
    expect(refused(() => throttle.admit(1, 'globex'))).toBe(false);
    expect(refused(() => throttle.admit(1, undefined))).toBe(false);
  });

  it('counts nothing for a request that one of its limits refuses', () => {
    const { throttle } = started({
      global: { capacity: 10, intervalMs: 1000 },
      tenant: { capacity: 4, intervalMs: 1000 },
    });
    expect(refused(() => throttle.admit(5, 'acme'))).toBe(true);
    expect(refused(() => throttle.admit(4, 'acme'))).toBe(false);
    expect(refused(() => throttle.admit(4, 'globex'))).toBe(false);
  });

  it('lets everything through without limits', () => {
    const { throttle } = started({});
    expect(refused(() => throttle.admit(1e9, 'acme'))).toBe(false);
  });
});

describe('traffic_shaping.router.global_rate_limit', () => {
  const config = 'traffic_shaping: { router: { global_rate_limit: { capacity: 10, interval: 1h } } }';
  const dear = { query: 'query A { topProducts(first: 8) { id } }' };

  it('used up is 429 REQUEST_RATE_LIMITED with Retry-After, as JSON whatever Accept says', async () => {
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

  it('is used by requests that are refused', async () => {
    const gateway = await startTestGateway({ config });
    await gateway.post({ query: '{' });
    await gateway.post('{');
    await gateway.post({ query: 'query A { nothing }' });
    expect((await gateway.post(dear)).status).toBe(429);
    await gateway.close();
  });

  it('counts requests where meridian.throttle.unit says so', async () => {
    const gateway = await startTestGateway({
      config: `${config}\nmeridian: { throttle: { unit: request } }`,
    });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await gateway.post(dear)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    await gateway.close();
  });
});

function started(limits: ThrottleOptions): {
  throttle: ReturnType<typeof createThrottle>;
  clock: { ms: number };
} {
  const clock = { ms: 0 };
  return { clock, throttle: createThrottle({ ...limits, now: () => clock.ms }) };
}

function refused(act: () => void): boolean {
  return retryAfter(act) !== undefined;
}

function retryAfter(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'REQUEST_RATE_LIMITED') {
      return error.headers['Retry-After'];
    }
    throw error;
  }
}
