import type { Consumption, LocalRateLimiter, RateLimiter } from '@meridian/shared-state';
import { consumed } from '@meridian/shared-state';

import type { TrafficLimits } from '../config/traffic-limits.ts';
import { requestError } from '../errors/request-error.ts';
import { tierOf } from '../tiers/tiers.ts';
import type { OperationInterceptor, OperationRequest, RequestInterceptor } from './gateway-request.ts';

export interface ThrottleOptions {
  /** The limit of all callers together. Default: unlimited. */
  readonly global?: RateLimiter | undefined;
  /** The limit of each tenant. */
  readonly tenant?: RateLimiter | undefined;
  /** The limits of tenants by the tiers that have one of their own. */
  readonly tiers?: ReadonlyMap<string, RateLimiter> | undefined;
  /** The limit of each peer, for requests that are rejected before their caller is known. */
  readonly peer?: LocalRateLimiter | undefined;
}

/**
 * The throttle around requests; undefined without a limit.
 *
 * @param config whose unit of the limits is an operation's cost, or 1 for each request
 */
export function throttleRequests(
  limiters: ThrottleOptions,
  { throttle: { unit }, tiers }: Pick<TrafficLimits, 'throttle' | 'tiers'>,
) {
  if (Object.values(limiters).every((limiter) => limiter === undefined)) {
    return undefined;
  }
  const throttle = createThrottle(limiters);
  const admit = ({ cost, request: { caller } }: OperationRequest): Promise<void> | undefined =>
    throttle.admit(unit === 'cost' ? cost : 1, caller?.tenantId, tierOf(tiers, caller));
  /** Counts rejected requests for the graph. */
  const aroundRequest: RequestInterceptor = async (request, next) => {
    try {
      return await next(request);
    } catch (error) {
      const { mediaType, isIdentified, isAdmitted, caller, exchange } = request;
      if (mediaType === undefined || isAdmitted) {
        throw error;
      }
      if (isIdentified) {
        throttle.countRejected(caller?.tenantId, tierOf(tiers, caller));
        throw error;
      }
      throw throttle.countUnidentified(exchange.peer) ?? error;
    }
  };
  /** Admits operations. */
  const aroundOperation: OperationInterceptor = (operation, next) => {
    const admitted = admit(operation);
    return admitted === undefined ? next(operation) : afterwards(admitted, () => next(operation));
  };
  return {
    aroundRequest,
    aroundOperation,
    /**
     * Counts an event of a subscription.
     *
     * @throws {RequestError} REQUEST_RATE_LIMITED when an interval has too little left
     */
    countEvent: admit,
  };
}

async function afterwards<Result>(first: Promise<void>, then: () => Promise<Result>): Promise<Result> {
  await first;
  return await then();
}

/** A rate limit that a request draws on. */
interface Account {
  readonly rateLimiter: RateLimiter;
  readonly key: string;
}

/**
 * Creates the throttle of a gateway: it counts the cost of requests, for all together and for each tenant.
 *
 * Spec: Limits, rule 2, and "Global rate limit".
 */
export function createThrottle({ global, tenant, tiers, peer: peers }: ThrottleOptions) {
  const ofAll: readonly Account[] = global === undefined ? [] : [{ rateLimiter: global, key: 'all' }];
  /**
   * The tenant's comes first. What exceeds it never reaches the limit of all: a tenant that is over its own would keep
   * the others out, even if each amount were refunded a moment later.
   */
  const accountsOf = (tenantId: string | undefined, tier: string | undefined): readonly Account[] => {
    const rateLimiter = (tier === undefined ? undefined : tiers?.get(tier)) ?? tenant;
    return rateLimiter === undefined || tenantId === undefined
      ? ofAll
      : [{ rateLimiter, key: tenantId }, ...ofAll];
  };

  return {
    /**
     * Counts the cost of a request that is about to run, at least 1. Undefined unless a limit is shared with other
     * processes, which takes a moment.
     *
     * @throws {RequestError} REQUEST_RATE_LIMITED when an interval has too little left; nothing is counted then
     */
    admit(cost: number, tenantId: string | undefined, tier?: string): Promise<void> | undefined {
      const consumption = consumeInOrder(accountsOf(tenantId, tier), amountOf(cost));
      return consumption instanceof Promise
        ? consumption.then(requireConsumed)
        : requireConsumed(consumption);
    },
    /** Counts 1 for a rejected request of a known caller: against its tenant, and against all if the tenant has that left. */
    countRejected(tenantId: string | undefined, tier?: string): void {
      void consumeInOrder(accountsOf(tenantId, tier), 1);
    },
    /**
     * Counts 1 for a request that is rejected before its caller is known, against its peer alone. Returns
     * REQUEST_RATE_LIMITED when the peer has nothing left.
     *
     * @param peer the address of the other side of the connection
     */
    countUnidentified(peer = 'unknown'): Error | undefined {
      const consumption = peers?.consume(peer, 1) ?? consumed;
      return consumption.isConsumed ? undefined : throttled(consumption.waitMs);
    },
  };
}

/** Consumes an amount from each, or from none if one has too little left. */
function consumeInOrder(
  [account, ...others]: readonly Account[],
  amount: number,
): Consumption | Promise<Consumption> {
  if (account === undefined) {
    return consumed;
  }
  const { rateLimiter, key } = account;
  return whenReady(rateLimiter.consume(key, amount), (consumption) =>
    consumption.isConsumed
      ? whenReady(consumeInOrder(others, amount), (rest) => {
          if (!rest.isConsumed) {
            rateLimiter.refund(key, amount);
          }
          return rest;
        })
      : consumption,
  );
}

/** At once, unless a limit is shared with other processes. */
function whenReady(
  consumption: Consumption | Promise<Consumption>,
  proceed: (consumption: Consumption) => Consumption | Promise<Consumption>,
): Consumption | Promise<Consumption> {
  return consumption instanceof Promise ? consumption.then(proceed) : proceed(consumption);
}

/** @throws {RequestError} REQUEST_RATE_LIMITED unless the amount was taken */
function requireConsumed(consumption: Consumption): undefined {
  if (!consumption.isConsumed) {
    throw throttled(consumption.waitMs);
  }
}

function throttled(waitMs: number): Error {
  return requestError('REQUEST_RATE_LIMITED', 'The rate limit is exceeded: try again later', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
}

/** A whole number, because stores count in whole numbers; a weight may have a fraction. */
function amountOf(cost: number): number {
  return Math.max(1, Math.ceil(cost));
}
