import type { PlanLookUp, Planner } from '@meridian/executor';
import type { Histogram, Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

/** Apollo Router's name for this kind of cache has a space. */
const kind = 'query planner';
const cacheLabels = { kind, storage: 'memory' };
const lookUpBuckets = [0.000_001, 0.000_01, 0.000_1, 0.001, 0.01, 0.1];
const planningBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Registers metrics of compiling and planning operations, with the names of Apollo Router: once for a process. */
export function createPlanningMetrics({ registry }: Metrics) {
  const lookUp = (name: string, help: string): Histogram<'kind' | 'storage'> =>
    createHistogram({ registry, name, help, labelNames: ['kind', 'storage'], buckets: lookUpBuckets });
  const hitTimes = lookUp(
    'apollo_router_cache_hit_time',
    'Time of look-ups that found a compiled operation in memory, or a plan in a store, in seconds.',
  );
  const missTimes = lookUp('apollo_router_cache_miss_time', 'Time of look-ups that found none, in seconds.');
  const [hits, misses] = [hitTimes.series(cacheLabels), missTimes.series(cacheLabels)];
  const storeErrors = new Counter({
    name: 'meridian_plan_store_errors_total',
    help: 'Look-ups in a store of plans that did not work, or found something else than a plan.',
    labelNames: ['storage'],
    registers: [registry],
  });
  const planning = (name: string, help: string): Histogram<'outcome'> =>
    createHistogram({ registry, name, help, labelNames: ['outcome'], buckets: planningBuckets });
  const totals = planning(
    'apollo_router_query_planning_total_duration',
    'Time to plan an operation, queueing included, in seconds.',
  );
  const durations = planning(
    'apollo_router_query_planning_plan_duration',
    'Time to plan an operation, without queueing, in seconds.',
  );
  return {
    /**
     * Counts a look-up in the cache of compiled operations and their plans, as one of no time: to read the clock twice
     * takes as long as the look-up.
     */
    onLookUp: (isFound: boolean): void => (isFound ? hits : misses).observe(0),
    /** Measures a look-up in a store of plans. */
    onPlanLookUp: (storage: 'disk' | 'redis', { outcome, durationMs }: PlanLookUp): void => {
      if (outcome === 'error') {
        storeErrors.inc({ storage });
      } else {
        (outcome === 'hit' ? hitTimes : missTimes).observe({ kind, storage }, durationMs / 1000);
      }
    },
    /** Measures the waiting time and the planning time of operations. */
    measuredPlanner: (planner: Planner): Planner => ({
      async plan(...call) {
        const startedMs = performance.now();
        let outcome: 'success' | 'error' = 'error';
        try {
          const result = await planner.plan(...call);
          outcome = 'node' in result ? 'success' : 'error';
          if (result.durationMs !== undefined) {
            durations.observe({ outcome }, result.durationMs / 1000);
          }
          return result;
        } finally {
          totals.observe({ outcome }, (performance.now() - startedMs) / 1000);
        }
      },
      close: () => planner.close(),
    }),
    /** Registers the number of cached operations, once for a process. `count` is called at each scrape. */
    watchCacheSize: (count: () => number): void =>
      registry.registerMetric(
        new Gauge({
          name: 'apollo_router_cache_size',
          help: 'Operations in the cache of compiled operations.',
          labelNames: ['kind', 'storage'],
          registers: [],
          collect() {
            this.set(cacheLabels, count());
          },
        }),
      ),
  };
}
