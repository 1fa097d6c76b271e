import type { Consumption, RateLimiter } from '@meridian/shared-state';

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
   * Counts the cost of a request that is about to run, at least 1. Undefined unless a limit is shared with other
   * processes, which takes a moment.
   *
   * @throws {RequestError} REQUEST_RATE_LIMITED when an interval has too little left; nothing is counted then
   */
  admit(cost: number, tenantId: string | undefined): Promise<void> | undefined;
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

  const isUnlimited = global === undefined && tenant === undefined;
  return {
    admit(cost, tenantId) {
      if (isUnlimited) {
        return undefined;
      }
      const accounts = accountsOf(tenantId);
      const amount = amountOf(cost);
      // All at once: with Redis, a request waits for one round trip, however many limits there are.
      const takes = accounts.map(({ rateLimiter, key }) => rateLimiter.consume(key, amount));
      if (takes.some((take) => take instanceof Promise)) {
        return Promise.all(takes.map((take) => Promise.resolve(take))).then((taken) =>
          settle(accounts, amount, taken),
        );
      }
      settle(
        accounts,
        amount,
        takes.filter((take): take is Consumption => !(take instanceof Promise)),
      );
      return undefined;
    },
    countRejected(tenantId) {
      for (const { rateLimiter, key } of accountsOf(tenantId)) {
        void rateLimiter.consume(key, 1);
      }
    },
  };
}

/** @throws {RequestError} REQUEST_RATE_LIMITED when one has too little left; what was taken from others is refunded */
function settle(accounts: readonly Account[], amount: number, takes: readonly Consumption[]): void {
  if (takes.every(({ isTaken }) => isTaken)) {
    return;
  }
  accounts
    .filter((_account, index) => takes[index]?.isTaken)
    .forEach(({ rateLimiter, key }) => rateLimiter.refund(key, amount));
  throw throttled(Math.max(...takes.map((take) => (take.isTaken ? 0 : take.waitMs))));
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
