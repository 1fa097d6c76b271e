import { LRUCache } from 'lru-cache';

import type { Planner, PlanningResult } from './planner.ts';

/** The number of characters of plans, as JSON, that are kept. */
const maxKept = 32_000_000;

/**
 * Creates a planner that plans a text once: operations that differ in nothing but the values of arguments have one. A plan is kept
 * within a bound, used last first; one that is being made is waited for by all that want it.
 */
export function keepPlans(planner: Pick<Planner, 'plan'>): Pick<Planner, 'plan'> {
  const kept = new LRUCache<string, PlanningResult>({
    maxSize: maxKept,
    // One operation takes not much of what there is for all.
    maxEntrySize: maxKept / 16,
    sizeCalculation: (result, key) => JSON.stringify(result).length + key.length,
  });
  const planning = new Map<string, Promise<PlanningResult>>();

  const plan = async (key: string, ...requested: Parameters<Planner['plan']>): Promise<PlanningResult> => {
    try {
      const result = await planner.plan(...requested);
      kept.set(key, result);
      return result;
    } finally {
      planning.delete(key);
    }
  };
  return {
    async plan(operation, labels = [], caller) {
      const key = JSON.stringify([operation, ...labels]);
      const known = kept.get(key) ?? planning.get(key);
      if (known !== undefined) {
        return await known;
      }
      const made = plan(key, operation, labels, caller);
      planning.set(key, made);
      return await made;
    },
  };
}
