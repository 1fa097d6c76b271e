import type { RateLimiter, RateLimit, Consumption } from './rate-limiter.ts';
import { createLocalRateLimiter } from './local-rate-limiter.ts';
import type { RedisConnection } from './redis-connection.ts';
import { RedisUnavailable } from './redis-unavailable.ts';

export interface SharedRateLimiterOptions {
  readonly redis: RedisConnection;
  /** Processes with the same name share one limit. */
  readonly name: string;
  readonly limit: RateLimit;
  /** The part of the capacity, above 0 and at most 1, that each process grants while Redis does not respond. */
  readonly fallbackFraction: number;
  /** Milliseconds, for the local share. */
  readonly now?: () => number;
}

/** A rate limiter that may have to call Redis. */
export interface SharedRateLimiter extends RateLimiter {
  consume(key: string, amount: number): Promise<Consumption>;
}

/**
 * Creates a rate limiter that processes share through Redis. While Redis does not respond, each process has
 * its own share, so the limit always holds and no request waits. An amount above the share then consumes all
 * of it.
 */
export function createSharedRateLimiter({
  redis,
  name,
  limit,
  fallbackFraction,
  now,
}: SharedRateLimiterOptions): SharedRateLimiter {
  const shareCapacity = Math.max(1, Math.floor(limit.capacity * fallbackFraction));
  const share = createLocalRateLimiter({ ...limit, capacity: shareCapacity }, now);
  const opened = openLimiter({ redis, name, limit });
  const takeInRedis = async (key: string, amount: number): Promise<Consumption> => {
    const { limiter, RateLimiterRes } = await opened;
    try {
      const { remainingPoints: left, msBeforeNext: waitMs } = await limiter.consume(key, amount);
      return { isConsumed: true, left, waitMs };
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        return {
          isConsumed: false,
          left: limit.capacity - (error.consumedPoints - amount),
          waitMs: error.msBeforeNext,
        };
      }
      throw error;
    }
  };
  return {
    async consume(key, amount) {
      try {
        return await redis.ask(() => takeInRedis(key, amount));
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) {
          throw error;
        }
        return share.consume(key, Math.min(amount, shareCapacity));
      }
    },
    refund(key, amount) {
      redis
        .ask(async () => (await opened).limiter.reward(key, amount))
        .catch(() => share.refund(key, Math.min(amount, shareCapacity)));
    },
  };
}

/** Loads the library, which a process without Redis does not need. */
async function openLimiter({
  redis,
  name,
  limit: { capacity, intervalMs },
}: Pick<SharedRateLimiterOptions, 'redis' | 'name' | 'limit'>) {
  const { RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible');
  const limiter = new RateLimiterRedis({
    storeClient: redis.client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: `meridian:budget:${name}`,
    points: capacity,
    // The script has the interval in milliseconds; the library takes whole seconds, and runs no script for less.
    duration: Math.max(1, Math.ceil(intervalMs / 1000)),
    customIncrTtlLuaScript: consumeScript(intervalMs),
  });
  return { limiter, RateLimiterRes };
}

/**
 * Consumes an amount in one step, or nothing when too little is left. The library's own script also counts
 * what it rejects, so repeated expensive operations would keep the cheap ones out. A negative amount is a
 * refund, and begins no interval. Returns what the library expects: the total with this amount, and the rest
 * of the interval.
 */
function consumeScript(intervalMs: number): string {
  return `
    local amount = tonumber(ARGV[1])
    local used = tonumber(redis.call('get', KEYS[1]) or '0') + amount
    if used <= tonumber(ARGV[3]) and (amount > 0 or redis.call('exists', KEYS[1]) == 1) then
      redis.call('set', KEYS[1], 0, 'PX', ${intervalMs}, 'NX')
      redis.call('incrby', KEYS[1], ARGV[1])
    end
    local left = redis.call('pttl', KEYS[1])
    if left < 0 then
      left = ${intervalMs}
    end
    return {used, left}
  `;
}
