export type { Budget, RateLimit, Take } from './budget.ts';
export { createLocalBudget } from './local-budget.ts';
export { connectRedis } from './redis-connection.ts';
export type { RedisConnection, RedisConnectionOptions } from './redis-connection.ts';
export { RedisUnavailable } from './redis-unavailable.ts';
export { createSharedBudget } from './shared-budget.ts';
export type { SharedBudget, SharedBudgetOptions } from './shared-budget.ts';
export { createSharedTexts } from './shared-texts.ts';
export type { SharedTexts, SharedTextsOptions } from './shared-texts.ts';
