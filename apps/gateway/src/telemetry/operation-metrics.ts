import type { Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';

import { createLabelLimit } from './label-limit.ts';
import type { OperationOutcome, RequestNotes } from './request-notes.ts';

export interface OperationMetrics {
  /** Measures a request whose operation is known. */
  readonly observeOperation: (notes: RequestNotes, durationMs: number) => void;
}

/**
 * Clients choose names of operations: beyond this number the others are one value, and likewise names with an outcome
 * other than success. A scrape writes eleven lines for each at once: with all of them it stalls the process for some
 * 40 ms.
 */
const maxNames = 500;
const maxNamedFailures = 500;
const otherName = '(others)';

/** Registers them: once for a process. */
export function createOperationMetrics({ registry }: Metrics): OperationMetrics {
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
  return {
    observeOperation({ operation, operationType, outcome: failure }, durationMs) {
      const outcome: OperationOutcome = failure ?? 'success';
      if (operation !== undefined && operationType !== undefined) {
        durations.observe(
          {
            graphql_operation_name: isAdmitted(operation, outcome) ? operation : otherName,
            graphql_operation_type: operationType,
            outcome,
          },
          durationMs / 1000,
        );
      }
    },
  };
}
