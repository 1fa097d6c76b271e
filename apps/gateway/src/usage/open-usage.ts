import type { Statements } from '@meridian/database/statements';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { IdentifierRegistry } from './identifier-registry.ts';
import { createIdentifierRegistry } from './identifier-registry.ts';
import { createIdentifierStore } from './identifier-store.ts';
import { createUsageRecords } from './usage-records.ts';
import type { UsageRecorder, UsageSettings } from './usage-recorder.ts';
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

/** The open parts of usage recording. */
export interface Usage extends Pick<UsageRecorder, 'count'> {
  /** Absent where there is no database. */
  readonly identifiers: IdentifierRegistry | undefined;
  close(): Promise<void>;
}

/** One connection writes; another may still be cancelling a statement. */
const poolSize = 2;
const statementTimeoutMs = 4000;

/** Connects to the database at the first use: a database that is down stops no start and no request. */
export async function openUsage(
  settings: UsageSettings,
  { databaseUrl, graph, logger, metrics, closeTimeoutMs }: UsageSurroundings,
): Promise<Usage> {
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
    identifiers,
    async close() {
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
