import type { DatabaseCall } from '@meridian/database';
import { createDurations } from '@meridian/telemetry';
import type { Metrics } from '@meridian/telemetry';

/**
 * Registers the durations of a service's database calls, with OpenTelemetry's name: once for a process.
 *
 * @returns what observes a call
 */
export function databaseMetrics(metrics: Metrics): (call: DatabaseCall) => void {
  const durations = createDurations(metrics, {
    name: 'db_client_operation_duration_seconds',
    help: 'Time for a statement or a transaction, including the wait for a connection, in seconds.',
    labelNames: ['kind', 'error_type'],
  });
  return ({ kind, durationMs, error }) =>
    durations.observe({ kind, error_type: errorType(error) }, durationMs / 1000);
}

/** The names of the store's failures; all faults of statements share one name. */
const storeFailures = new Set(['store-timeout', 'store-unavailable', 'outcome-unknown']);

function errorType(error: unknown): string {
  if (error === undefined) {
    return '';
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return storeFailures.has(code) ? code : 'statement-failed';
}
