import type { Budget } from './rate-limiter.ts';
import { createLocalBudget } from './local-rate-limiter.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { SharedBudgetOptions } from './shared-rate-limiter.ts';
import { createSharedBudget } from './shared-rate-limiter.ts';

export interface BudgetOptions extends Omit<SharedBudgetOptions, 'redis'> {
  /** Absent: each process counts for itself, the whole capacity. */
  readonly redis: RedisConnection | undefined;
}

/** The budget that processes share where there is a Redis, else one of this process alone. */
export function openBudget({ redis, ...options }: BudgetOptions): Budget {
  return redis === undefined
    ? createLocalBudget(options.limit, options.now)
    : createSharedBudget({ ...options, redis });
}
