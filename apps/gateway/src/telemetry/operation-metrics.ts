import type { Metrics } from '@meridian/telemetry';
import { Histogram } from 'prom-client';

import { createLabelLimit } from './label-limit.ts';
import type { RequestNotes } from './request-notes.ts';

export interface OperationMetrics {
  /** Measures a request that came as far as an operation. */
  readonly observeOperation: (notes: RequestNotes, durationMs: number) => void;
}

/** Clients name operations: past so many names, the others are one. Each has up to five outcomes. */
const maxNames = 500;
const otherName = '(others)';

/** Registers them: once for a process. */
export function createOperationMetrics({ registry }: Metrics): OperationMetrics {
  const durations = new Histogram({
    name: 'meridian_operation_duration_seconds',
    help: 'Time for an operation, from the head of its request to its response, in seconds.',
    labelNames: ['graphql_operation_name', 'graphql_operation_type', 'outcome'],
    // Few, as there are so many names.
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const isAdmitted = createLabelLimit(maxNames);
  return {
    observeOperation({ operation, operationType, outcome = 'success' }, durationMs) {
      if (operation !== undefined && operationType !== undefined) {
        durations.observe(
          {
            graphql_operation_name: isAdmitted(operation) ? operation : otherName,
            graphql_operation_type: operationType,
            outcome,
          },
          durationMs / 1000,
        );
      }
    },
  };
}
