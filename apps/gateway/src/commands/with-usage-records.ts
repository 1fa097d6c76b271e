import { CommandError } from '@meridian/settings/command-line';
import { readEnvironment, url, variable } from '@meridian/settings/environment';
import { connectStatements } from '@meridian/database/statements';
import { createLogger } from '@meridian/telemetry';

import type { UsageRecords } from '../usage/usage-records.ts';
import { createUsageRecords } from '../usage/usage-records.ts';

/**
 * Opens the gateway's database for as long as `use` takes.
 *
 * @throws {CommandError} where there is none
 * @throws {EnvironmentError} when it is not a PostgreSQL URL
 */
export async function withUsageRecords<Result>(
  databaseUrl: string | undefined,
  use: (records: UsageRecords) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl === undefined) {
    throw new CommandError(
      "There is no database: no stack runs (pnpm start), and DATABASE_URL, the gateway's database, is not set",
    );
  }
  const { DATABASE_URL } = readEnvironment(
    { DATABASE_URL: databaseUrl },
    {
      DATABASE_URL: variable(url(['postgres', 'postgresql']), { secret: true }),
    },
  );
  const database = connectStatements({
    url: DATABASE_URL,
    applicationName: 'usage',
    poolSize: 1,
    statementTimeoutMs: 60_000,
    logger: createLogger({ service: 'usage', level: 'silent' }),
  });
  try {
    return await use(createUsageRecords(database));
  } finally {
    await database.close();
  }
}
