import type { RateLimiter } from '@meridian/shared-state';

import { requestError } from '../../errors/request-error.ts';

export interface ThrottleOptions {
  /** The limit of all callers together. Default: unlimited. */
  readonly global?: RateLimiter | undefined;
  /** The limit of each tenant. */
  readonly tenant?: RateLimiter | undefined;
}

/** Counts the cost of requests, for all together and for each tenant. */
export interface Throttle {
  /**
   * Counts the cost of a request that is about to run, at least 1.
   *
   * @throws {RequestError} REQUEST_RATE_LIMITED when an interval has too little left; nothing is counted then
   */
  admit(cost: number, tenantId: string | undefined): Promise<void>;
  /** Counts 1 for a rejected request. */
  countRejected(tenantId: string | undefined): void;
}

/** A rate limit that a request draws on. */
interface Account {
  readonly rateLimiter: RateLimiter;
  readonly key: string;
}

/**
 * Creates the throttle of a gateway.
 *
 * Spec: Limits, rule 2, and "Global rate limit".
 */
export function createThrottle({ global, tenant }: ThrottleOptions): Throttle {
  const accountsOf = (tenantId: string | undefined): Account[] => [
    ...(global === undefined ? [] : [{ rateLimiter: global, key: 'all' }]),
    ...(tenant === undefined || tenantId === undefined ? [] : [{ rateLimiter: tenant, key: tenantId }]),
  ];

  return {
    async admit(cost, tenantId) {
      const accounts = accountsOf(tenantId);
      if (accounts.length === 0) {
        return;
      }
      const amount = amountOf(cost);
      // All at once: with Redis, a request waits for one round trip, however many limits there are.
      const takes = await Promise.all(
        accounts.map(async ({ rateLimiter, key }) => await rateLimiter.consume(key, amount)),
      );
      const waitsMs = takes.flatMap((take) => (take.isTaken ? [] : [take.waitMs]));
      if (waitsMs.length > 0) {
        accounts
          .filter((_account, index) => takes[index]?.isTaken)
          .forEach(({ rateLimiter, key }) => rateLimiter.refund(key, amount));
        throw throttled(Math.max(...waitsMs));
      }
    },
    countRejected(tenantId) {
      for (const { rateLimiter, key } of accountsOf(tenantId)) {
        void rateLimiter.consume(key, 1);
      }
    },
  };
}

/** A whole number, because stores count in whole numbers; a weight may have a fraction. */
function amountOf(cost: number): number {
  return Math.max(1, Math.ceil(cost));
}

function throttled(waitMs: number): Error {
  return requestError('REQUEST_RATE_LIMITED', 'The rate limit is exceeded: try again later', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
}
