import type { Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';
import { Counter } from 'prom-client';

/** The parts of one fetch: its entities, or its root fields as one. */
export interface CacheLookUp {
  readonly hits: number;
  readonly misses: number;
}

export type InvalidationOrigin = 'endpoint' | 'extensions';

const prefix = 'apollo_router_operations_response_cache';

/** Registers metrics of the cache of subgraphs' responses, with Apollo Router's names: once for a process. */
export function createResponseCacheMetrics({ registry }: Metrics) {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const seconds = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    createHistogram({
      registry,
      name,
      help,
      labelNames,
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    });
  const fetches = seconds(`${prefix}_fetch_seconds`, 'Time of look-ups of responses, in seconds.', [
    'subgraph_name',
  ]);
  const inserts = seconds(`${prefix}_insert_seconds`, 'Time to keep responses, in seconds.', [
    'subgraph_name',
  ]);
  const fetchErrors = counter(
    `${prefix}_fetch_error_total`,
    'Look-ups that failed: the subgraph was asked.',
    ['subgraph_name'],
  );
  const insertErrors = counter(`${prefix}_insert_error_total`, 'Responses that could not be kept.', [
    'subgraph_name',
  ]);
  const found = counter(
    'apollo_router_response_cache_total',
    'Entities, and fetches of root fields, that the cache of responses had or had not.',
    ['subgraph_name', 'cache_hit'],
  );
  const events = counter(
    `${prefix}_invalidation_event_total`,
    'Batches of invalidations, by origin: endpoint, or the extensions of a response.',
    ['origin'],
  );
  const durations = seconds(
    `${prefix}_invalidation_duration_seconds`,
    'Time of a batch of them, in seconds.',
    ['origin'],
  );
  const entries = counter(`${prefix}_invalidation_entry_total`, 'Responses that were invalidated.', [
    'kind',
    'subgraph_name',
  ]);
  const failures = counter(`${prefix}_invalidation_error_total`, 'Invalidations that failed.', [
    'kind',
    'subgraph_name',
  ]);
  return {
    onFetch: (subgraph_name: string, time: number, { hits, misses }: CacheLookUp): void => {
      fetches.observe({ subgraph_name }, time);
      found.inc({ subgraph_name, cache_hit: 'true' }, hits);
      found.inc({ subgraph_name, cache_hit: 'false' }, misses);
    },
    onInsert: (subgraph_name: string, time: number): void => inserts.observe({ subgraph_name }, time),
    onFailure: (step: 'fetch' | 'insert', subgraph_name: string): void =>
      (step === 'fetch' ? fetchErrors : insertErrors).inc({ subgraph_name }),
    onInvalidation: (origin: InvalidationOrigin, time: number): void => {
      events.inc({ origin });
      durations.observe({ origin }, time);
    },
    onInvalidated: (kind: string, subgraph_name: string, count: number): void =>
      entries.inc({ kind, subgraph_name }, count),
    onInvalidationFailure: (kind: string, subgraph_name: string): void =>
      failures.inc({ kind, subgraph_name }),
  };
}

export type ResponseCacheMetrics = ReturnType<typeof createResponseCacheMetrics>;
