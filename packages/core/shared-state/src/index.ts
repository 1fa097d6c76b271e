export { consumed } from './rate-limiter.ts';
export type { RateLimiter, RateLimit, Consumption } from './rate-limiter.ts';
export { createLocalRateLimiter } from './local-rate-limiter.ts';
export type { LocalRateLimiter } from './local-rate-limiter.ts';
export { openRateLimiter } from './open-rate-limiter.ts';
export type { RateLimiterOptions } from './open-rate-limiter.ts';
export { connectRedis } from './redis-connection.ts';
export type {
  RedisConnection,
  RedisConnectionOptions,
  RedisSubscription,
  RedisSubscriptionOptions,
} from './redis-connection.ts';
export { RedisUnavailable } from './redis-unavailable.ts';
export { createSharedRateLimiter } from './shared-rate-limiter.ts';
export type { SharedRateLimiter, SharedRateLimiterOptions } from './shared-rate-limiter.ts';
export { createApqStore } from './apq-store.ts';
export type { ApqStore, ApqStoreOptions } from './apq-store.ts';
