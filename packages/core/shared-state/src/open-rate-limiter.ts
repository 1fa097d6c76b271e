import type { RateLimiter } from './rate-limiter.ts';
import { createLocalRateLimiter } from './local-rate-limiter.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { SharedRateLimiterOptions } from './shared-rate-limiter.ts';
import { createSharedRateLimiter } from './shared-rate-limiter.ts';

export interface RateLimiterOptions extends Omit<SharedRateLimiterOptions, 'redis'> {
  /** Absent: each process counts for itself, with the whole capacity. */
  readonly redis: RedisConnection | undefined;
}

/** Opens a rate limiter that processes share, if there is a Redis, else one of this process alone. */
export function openRateLimiter({ redis, ...options }: RateLimiterOptions): RateLimiter {
  return redis === undefined
    ? createLocalRateLimiter(options.limit, options.now)
    : createSharedRateLimiter({ ...options, redis });
}
