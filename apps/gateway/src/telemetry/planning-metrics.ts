import type { Planner } from '@meridian/executor';
import type { Histogram, HistogramSeries, Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';
import { Gauge } from 'prom-client';

/** Metrics of compiling and planning operations, with the names of Apollo Router. */
export interface PlanningMetrics {
  /** Measures a look-up in the cache of compiled operations and their plans. */
  readonly onLookUp: (isFound: boolean, durationMs: number) => void;
  /** Measures the waiting time and the planning time of operations. */
  readonly measuredPlanner: (planner: Planner) => Planner;
  /**
   * Registers the number of cached operations. `count` is called at each scrape. Register it once for a
   * process.
   */
  readonly watchCacheSize: (count: () => number) => void;
}

/** There is one cache, in the memory of the process; Apollo Router's name for its kind has a space. */
const cacheLabels = { kind: 'query planner', storage: 'memory' };
const lookUpBuckets = [0.000_001, 0.000_01, 0.000_1, 0.001, 0.01];
const planningBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Registers them: once for a process. */
export function createPlanningMetrics({ registry }: Metrics): PlanningMetrics {
  const lookUp = (name: string, help: string): HistogramSeries =>
    createHistogram({
      registry,
      name,
      help,
      labelNames: ['kind', 'storage'],
      buckets: lookUpBuckets,
    }).series(cacheLabels);
  const hits = lookUp(
    'apollo_router_cache_hit_time',
    'Time of look-ups that found a compiled operation, in seconds.',
  );
  const misses = lookUp('apollo_router_cache_miss_time', 'Time of look-ups that found none, in seconds.');
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
    onLookUp: (isFound, durationMs) => (isFound ? hits : misses).observe(durationMs / 1000),
    measuredPlanner: (planner) => ({
      async plan(...asked) {
        const startedMs = performance.now();
        let outcome: 'success' | 'error' = 'error';
        try {
          const result = await planner.plan(...asked);
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
    watchCacheSize: (count) =>
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
