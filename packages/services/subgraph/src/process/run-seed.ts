import process from 'node:process';

import { logVariables, readEnvironment, text, url, variable } from '@meridian/settings/environment';
import { connectDatabase } from '@meridian/database';
import type { Database } from '@meridian/database';
import { createLogger } from '@meridian/telemetry';
import type { LogLevel } from '@meridian/telemetry';

/** The configuration of a seed. */
export interface SeedConfig {
  readonly databaseUrl: string;
  /** The issuer of the demo users' tokens. */
  readonly issuer: string;
  readonly logLevel: LogLevel;
}

/** Rows that are inserted at once. */
export interface SeedBatch {
  readonly rowCount: number;
  insert(): Promise<unknown>;
}

/** The number of rows of one statement. */
const batchSize = 1000;

/** @throws {EnvironmentError} with every variable at fault */
export function readSeedConfig(env: Readonly<Record<string, string | undefined>>): SeedConfig {
  const read = readEnvironment(env, {
    DATABASE_URL: variable(url(['postgres', 'postgresql']), { secret: true }),
    JWT_ISSUER: variable(text, { default: 'http://meridian.localhost' }),
    ...logVariables,
  });
  return { databaseUrl: read.DATABASE_URL, issuer: read.JWT_ISSUER, logLevel: read.LOG_LEVEL };
}

/** Cuts rows into batches. */
export function seedBatches<Row>(
  rows: readonly Row[],
  insert: (rows: readonly Row[]) => Promise<unknown>,
): SeedBatch[] {
  return Array.from({ length: Math.ceil(rows.length / batchSize) }, (_, index) => {
    const batch = rows.slice(index * batchSize, (index + 1) * batchSize);
    return { rowCount: batch.length, insert: () => insert(batch) };
  });
}

/** Inserts the batches one after another, and prints the progress after each: `seed <rows done> <rows in all>`. */
export async function runSeed(
  { databaseUrl, logLevel }: SeedConfig,
  batchesOf: (database: Database) => readonly SeedBatch[],
): Promise<void> {
  const database = connectDatabase({
    url: databaseUrl,
    applicationName: 'seed',
    poolSize: 1,
    statementTimeoutMs: 60_000,
    logger: createLogger({ service: 'seed', level: logLevel }),
  });
  try {
    const batches = batchesOf(database);
    const total = batches.reduce((sum, batch) => sum + batch.rowCount, 0);
    let done = 0;
    for (const batch of batches) {
      await batch.insert();
      done += batch.rowCount;
      process.stdout.write(`seed ${done} ${total}\n`);
    }
  } finally {
    await database.close();
  }
}
