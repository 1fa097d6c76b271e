import type { Metrics } from '@meridian/telemetry';
import { Counter } from 'prom-client';

import { createLabelLimit } from '../telemetry/label-limit.ts';
import type { UsageBatch } from './usage-batch.ts';

/** Clients choose the names of operations and clients: beyond this number of pairs, the others are one. */
const maxPairs = 500;
/** The same for their versions: further ones of a client share one label. */
const maxVersions = 500;
const other = '(others)';

/**
 * Usage as metrics: of fields, of which there are as many as the schema has, and of operations by client.
 *
 * @param addWaiting called before the metrics are read: to add what has been counted since the last batch
 */
export function createUsageMetrics({ registry }: Metrics, addWaiting: () => void) {
  const fieldRequests = new Counter({
    name: 'meridian_field_requests_total',
    help: 'Requests that selected a field, as Type.field.',
    labelNames: ['field'],
    registers: [registry],
    collect: addWaiting,
  });
  const operationRequests = new Counter({
    name: 'meridian_operation_requests_total',
    help: 'Requests that ran an operation, by its name and by the name and version of the client.',
    labelNames: ['operation', 'client', 'client_version'],
    registers: [registry],
    collect: addWaiting,
  });
  const dropped = new Counter({
    name: 'meridian_usage_dropped_total',
    help: 'Requests whose usage was not recorded because too much was waiting to be written.',
    registers: [registry],
  });
  const isPairAdmitted = createLabelLimit(maxPairs);
  const isVersionAdmitted = createLabelLimit(maxVersions);

  const labelsFor = (operation: string, client: string, version: string) => {
    if (!isPairAdmitted(JSON.stringify([operation, client]))) {
      return { operation: other, client: other, client_version: other };
    }
    const isAdmitted = isVersionAdmitted(JSON.stringify([operation, client, version]));
    return { operation, client, client_version: isAdmitted ? version : other };
  };
  return {
    add: ({ operations, usage }: UsageBatch): void => {
      const byId = new Map(operations.map((operation) => [operation.id, operation]));
      for (const { operationId, clientName, clientVersion, requests } of usage) {
        const operation = byId.get(operationId);
        operationRequests.inc(labelsFor(operation?.name ?? '', clientName, clientVersion), requests);
        for (const field of operation?.fields ?? []) {
          fieldRequests.inc({ field }, requests);
        }
      }
    },
    drop: (requests: number): void => dropped.inc(requests),
  };
}
