import type { HistogramSeries, Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';

import { createLabelLimit } from './label-limit.ts';
import type { OperationOutcome, RequestNotes } from './request-notes.ts';

/**
 * Clients choose names of operations: beyond this number the others are one value, and likewise names with an outcome
 * other than success. A scrape writes eleven lines for each at once: with all of them it stalls the process for some
 * 40 ms.
 */
const maxNames = 500;
const maxNamedFailures = 500;
const otherName = '(others)';

/** Registers metrics of operations: once for a process. */
export function createOperationMetrics({ registry }: Metrics) {
  const durations = createHistogram({
    registry,
    name: 'meridian_operation_duration_seconds',
    help: 'Time for an operation, from the head of its request to its response, in seconds.',
    labelNames: ['graphql_operation_name', 'graphql_operation_type', 'outcome'],
    // Few, as there are so many names.
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  const isNameAdmitted = createLabelLimit(maxNames);
  const isFailureAdmitted = createLabelLimit(maxNamedFailures);
  const isAdmitted = (name: string, outcome: OperationOutcome): boolean =>
    isNameAdmitted(name) && (outcome === 'success' || isFailureAdmitted(`${outcome} ${name}`));
  const seriesOf = (name: string, type: OperationType, outcome: OperationOutcome): HistogramSeries =>
    durations.series({
      graphql_operation_name: isAdmitted(name, outcome) ? name : otherName,
      graphql_operation_type: type,
      outcome,
    });
  /** The series of successes by name. Nearly all operations succeed, and an admitted name stays admitted. */
  const successes = {
    query: new Map<string, HistogramSeries>(),
    mutation: new Map<string, HistogramSeries>(),
    subscription: new Map<string, HistogramSeries>(),
  };
  const seriesOfSuccess = (name: string, type: OperationType): HistogramSeries => {
    const byName = successes[type];
    let series = byName.get(name);
    if (series === undefined) {
      series = seriesOf(name, type, 'success');
      if (byName.size < maxNames) {
        byName.set(name, series);
      }
    }
    return series;
  };
  return {
    /** Measures a request whose operation is known. */
    observeOperation: ({ operation, operationType, outcome }: RequestNotes, durationMs: number): void => {
      if (operation !== undefined && operationType !== undefined) {
        const series =
          outcome === undefined
            ? seriesOfSuccess(operation, operationType)
            : seriesOf(operation, operationType, outcome);
        series.observe(durationMs / 1000);
      }
    },
  };
}

type OperationType = NonNullable<RequestNotes['operationType']>;
