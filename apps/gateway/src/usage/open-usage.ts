import type { Statements } from '@meridian/database/statements';
import type { Logger, Metrics } from '@meridian/telemetry';

import { createIdentifierRegistry } from './identifier-registry.ts';
import { createIdentifierStore } from './identifier-store.ts';
import { createUsageRecords } from './usage-records.ts';
import type { UsageSettings } from './usage-recorder.ts';
import { createUsageRecorder } from './usage-recorder.ts';
import { createUsageStore } from './usage-store.ts';

export interface UsageSurroundings {
  /** Absent: usage is in the metrics only. */
  readonly databaseUrl: string | undefined;
  readonly graph: string | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The time that a stopping gateway waits for its database, which may be down. */
  readonly closeTimeoutMs: number;
}

/** One connection writes; another may still be cancelling a statement. */
const poolSize = 2;
const statementTimeoutMs = 4000;

/**
 * Opens the parts of usage recording. They connect to the database at the first use: one that is down stops no start and no
 * request.
 */
export async function openUsage(
  settings: UsageSettings,
  { databaseUrl, graph, logger, metrics, closeTimeoutMs }: UsageSurroundings,
) {
  const database = databaseUrl === undefined ? undefined : await connect(databaseUrl, logger);
  const store = database && createUsageStore(database);
  const recorder = createUsageRecorder({ settings, graph, store, logger, metrics });
  const identifiers =
    database &&
    createIdentifierRegistry({
      store: createIdentifierStore(database),
      records: createUsageRecords(database),
      keptDays: settings.retention_days,
      logger,
    });
  return {
    count: recorder.count,
    /** Absent where there is no database. */
    identifiers,
    async close(): Promise<void> {
      identifiers?.close();
      await recorder.close(closeTimeoutMs);
      await database?.close();
    },
  };
}

/** Loads the driver of the database, which a gateway without one does not need. */
async function connect(url: string, logger: Logger): Promise<Statements> {
  const { connectStatements } = await import('@meridian/database/statements');
  return connectStatements({ url, applicationName: 'gateway', poolSize, statementTimeoutMs, logger });
}
