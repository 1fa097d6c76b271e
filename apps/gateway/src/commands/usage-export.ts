import { writeFileSync } from 'node:fs';
import process from 'node:process';

import { counted } from '@meridian/command-line';

import type { ExportedUse } from '../usage/exported-uses.ts';
import { withUsageRecords } from './with-usage-records.ts';

/** The request of `pnpm usage --export`. */
export interface UsageExport {
  readonly path: string;
  readonly days: number;
}

/**
 * Writes recorded usage to a file, for checks that have no database. It holds names of clients and operations, fields, counts and days;
 * no caller, no tenant and no value of a variable.
 *
 * @param databaseUrl of the gateway's database
 * @throws {CommandError} without one
 */
export async function exportUsage(
  { path, days }: UsageExport,
  databaseUrl: string | undefined,
): Promise<void> {
  const { uses, recordedDays } = await withUsageRecords(databaseUrl, async (records) => ({
    uses: await records.exportedUses(days),
    recordedDays: await records.recordedDays(),
  }));
  const operations = Array.from(Map.groupBy(uses, ({ id }) => id).values(), operationOf).filter(
    (operation) => operation !== undefined,
  );
  const usage = {
    format: 'meridian-usage',
    version: 1,
    exportedAt: new Date().toISOString(),
    days,
    recordedDays,
    operations,
  };
  writeFileSync(path, `${JSON.stringify(usage, undefined, 2)}\n`);
  process.stdout.write(
    `${path}: ${counted(operations.length, 'operation')} of ${counted(Math.min(days, recordedDays), 'day')}\n`,
  );
}

function operationOf(uses: readonly ExportedUse[]): object | undefined {
  const [first] = uses;
  return (
    first && {
      name: first.name,
      text: first.text,
      queryHash: first.queryHash,
      fields: first.fields,
      // The values of variables are not recorded, so that any input may have been sent.
      uses: uses.map(({ client, version, requests, lastDay }) => ({
        client,
        version,
        requests,
        lastDay,
        inputs: null,
      })),
    }
  );
}
