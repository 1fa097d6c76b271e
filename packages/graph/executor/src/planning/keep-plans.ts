import { LRUCache } from 'lru-cache';

import type { Planner, PlanningResult } from './planner.ts';

/** The most characters of cached plans, as JSON. */
const maxKept = 32_000_000;

/**
 * Creates a planner that plans a text once; operations that differ only in the values of arguments have the same
 * text. Plans are kept in a bounded LRU cache, as JSON: it takes a fraction of the memory of the objects. Callers of a
 * plan under way wait for it.
 */
export function keepPlans(planner: Pick<Planner, 'plan'>): Pick<Planner, 'plan'> {
  const kept = new LRUCache<string, string>({
    maxSize: maxKept,
    // One operation takes only a small part of the cache.
    maxEntrySize: maxKept / 16,
    sizeCalculation: (json, key) => json.length + key.length,
  });
  const planning = new Map<string, Promise<PlanningResult>>();

  const plan = async (key: string, ...requested: Parameters<Planner['plan']>): Promise<PlanningResult> => {
    try {
      const result = await planner.plan(...requested);
      kept.set(key, JSON.stringify(result));
      return result;
    } finally {
      planning.delete(key);
    }
  };
  return {
    async plan(operation, labels = [], caller) {
      const key = JSON.stringify([operation, ...labels]);
      const known = kept.get(key);
      if (known !== undefined) {
        const result: PlanningResult = JSON.parse(known);
        return result;
      }
      const underWay = planning.get(key);
      if (underWay !== undefined) {
        return await underWay;
      }
      const made = plan(key, operation, labels, caller);
      planning.set(key, made);
      return await made;
    },
  };
}
