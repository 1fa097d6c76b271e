import type { Budget } from './budget.ts';
import { createLocalBudget } from './local-budget.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { SharedBudgetOptions } from './shared-budget.ts';
import { createSharedBudget } from './shared-budget.ts';

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
