import { describe, expect, it } from '@jest/globals';
import { createLocalRateLimiter } from '@meridian/shared-state';

describe('A local rate limiter', () => {
  it('consumes an amount of what is left, or nothing', () => {
    const { rateLimiter } = started(10);
    expect([
      rateLimiter.consume('a', 9),
      rateLimiter.consume('a', 2),
      rateLimiter.consume('a', 1),
      rateLimiter.consume('a', 1),
    ]).toMatchObject([
      { isConsumed: true },
      { isConsumed: false },
      { isConsumed: true },
      { isConsumed: false },
    ]);
  });

  it('has its whole capacity again after the interval, and returns the time until then', () => {
    const { rateLimiter, clock } = started(1);
    rateLimiter.consume('a', 1);
    clock.ms += 999;
    expect(rateLimiter.consume('a', 1)).toEqual({ isConsumed: false, left: 0, waitMs: 1 });
    clock.ms += 1;
    expect(rateLimiter.consume('a', 1)).toEqual({ isConsumed: true, left: 0, waitMs: 1000 });
  });

  it('counts each key by itself', () => {
    const { rateLimiter } = started(1);
    expect([rateLimiter.consume('a', 1), rateLimiter.consume('b', 1)]).toMatchObject([
      { isConsumed: true },
      { isConsumed: true },
    ]);
  });

  it('refunds an amount, but not in the next interval', () => {
    const { rateLimiter, clock } = started(10);
    rateLimiter.consume('a', 10);
    rateLimiter.refund('a', 4);
    expect([rateLimiter.consume('a', 4), rateLimiter.consume('a', 1)]).toMatchObject([
      { isConsumed: true },
      { isConsumed: false },
    ]);
    clock.ms += 1000;
    rateLimiter.refund('a', 4);
    expect([rateLimiter.consume('a', 10), rateLimiter.consume('a', 1)]).toMatchObject([
      { isConsumed: true },
      { isConsumed: false },
    ]);
  });

  it('forgets keys whose interval is over, so that their number is unlimited', () => {
    const { rateLimiter, clock } = started(1);
    for (let count = 0; count < 30_000; count += 1) {
      rateLimiter.consume(`tenant ${count}`, 1);
      clock.ms += 1;
    }
    expect(rateLimiter.consume('tenant 29999', 1)).toMatchObject({ isConsumed: false });
    expect(rateLimiter.consume('tenant 0', 1)).toMatchObject({ isConsumed: true });
  });
});

function started(capacity: number): {
  rateLimiter: ReturnType<typeof createLocalRateLimiter>;
  clock: { ms: number };
} {
  const clock = { ms: 0 };
  return { clock, rateLimiter: createLocalRateLimiter({ capacity, intervalMs: 1000 }, () => clock.ms) };
}
