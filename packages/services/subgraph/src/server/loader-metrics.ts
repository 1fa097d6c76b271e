import { createDurations } from '@meridian/telemetry';
import type { Metrics } from '@meridian/telemetry';
import type { OnBatch } from '@meridian/tenant-loaders';

/** Registers the durations of a subgraph's loaders: once for a process. Their names are few: they are in its source. */
export function loaderMetrics(metrics: Metrics): OnBatch {
  const durations = createDurations(metrics, {
    name: 'meridian_loader_batch_duration_seconds',
    help: 'Time for a batch of a loader, such as all entities of one lookup, in seconds.',
    labelNames: ['loader', 'outcome'],
  });
  return (loader, durationMs, outcome) => durations.observe({ loader, outcome }, durationMs / 1000);
}
