import type { Metrics } from '@meridian/telemetry';
import { Counter } from 'prom-client';

import type { UsageBatch } from './usage-batch.ts';

export interface UsageMetrics {
  readonly add: (batch: UsageBatch) => void;
  readonly drop: (requests: number) => void;
}

/** Operations and clients are what anybody may call them: more than this many pairs are one. */
const maxLabelled = 500;
const others = { operation: '(others)', client: '(others)' };

/**
 * Usage as metrics: of fields, of which there are as many as the schema has, and of operations by client.
 *
 * @param addWaiting called before the metrics are read: to add what has been counted since the last batch
 */
export function createUsageMetrics({ registry }: Metrics, addWaiting: () => void): UsageMetrics {
  const fieldRequests = new Counter({
    name: 'meridian_field_requests_total',
    help: 'Requests that selected a field, as Type.field.',
    labelNames: ['field'],
    registers: [registry],
    collect: addWaiting,
  });
  const operationRequests = new Counter({
    name: 'meridian_operation_requests_total',
    help: 'Requests that ran an operation, by its name and that of the client.',
    labelNames: ['operation', 'client'],
    registers: [registry],
    collect: addWaiting,
  });
  const dropped = new Counter({
    name: 'meridian_usage_dropped_total',
    help: 'Requests whose usage was not recorded, for too much was waiting to be written.',
    registers: [registry],
  });
  const labelled = new Set<string>();

  const labelsFor = (operation: string, client: string): typeof others => {
    const key = JSON.stringify([operation, client]);
    if (labelled.size < maxLabelled) {
      labelled.add(key);
    }
    return labelled.has(key) ? { operation, client } : others;
  };
  return {
    add({ operations, usage }) {
      const byId = new Map(operations.map((operation) => [operation.id, operation]));
      for (const { operationId, clientName, requests } of usage) {
        const operation = byId.get(operationId);
        operationRequests.inc(labelsFor(operation?.name ?? '', clientName), requests);
        for (const field of operation?.fields ?? []) {
          fieldRequests.inc({ field }, requests);
        }
      }
    },
    drop: (requests) => dropped.inc(requests),
  };
}
