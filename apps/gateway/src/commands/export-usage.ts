import { writeFileSync } from 'node:fs';
import process from 'node:process';

import { CommandError, counted } from '@meridian/settings/command-line';

import { quantileMs } from '../usage/durations.ts';
import type { ExportedUse } from '../usage/exported-uses.ts';
import { withUsageRecords } from './with-usage-records.ts';

/** The request of `pnpm graph usage --export`. */
export interface UsageExport {
  readonly path: string;
  readonly days: number;
  /** Of several in one process. */
  readonly graph?: string | undefined;
}

/**
 * Writes recorded usage to a file, for checks that have no database. It holds names of clients and operations, fields,
 * counts and days; no caller, no tenant and no value of a variable.
 *
 * @param databaseUrl of the gateway's database
 * @throws {CommandError} without one, and for the usage of several graphs without the name of one
 */
export async function exportUsage(
  { path, days, graph }: UsageExport,
  databaseUrl: string | undefined,
): Promise<void> {
  const records = await readRecords(days, databaseUrl, graph);
  const graphs = [...new Set(records.uses.map((use) => use.graph))].toSorted();
  if (graphs.length > 1) {
    throw new CommandError(
      `Usage is recorded of several graphs. Name one: ${graphs.map((name) => `--graph ${name || '""'}`).join(', ')}`,
    );
  }
  const usage = usageOf(days, records);
  writeFileSync(path, `${JSON.stringify(usage, undefined, 2)}\n`);
  process.stdout.write(
    `${path}: ${counted(usage.operations.length, 'operation')} of ${counted(Math.min(days, usage.recordedDays), 'day')}\n`,
  );
}

/**
 * Reads recorded usage as the file has it.
 *
 * @param databaseUrl of the gateway's database
 * @param graph of several. Default: all
 * @throws {CommandError} without one
 */
export async function readUsage(days: number, databaseUrl: string | undefined, graph?: string) {
  return usageOf(days, await readRecords(days, databaseUrl, graph));
}

interface Records {
  readonly uses: readonly ExportedUse[];
  readonly recordedDays: number;
}

function readRecords(days: number, databaseUrl: string | undefined, graph?: string): Promise<Records> {
  return withUsageRecords(databaseUrl, async (records) => ({
    uses: await records.exportedUses(days, graph),
    recordedDays: await records.recordedDays(),
  }));
}

function usageOf(days: number, { uses, recordedDays }: Records) {
  const operations = Array.from(Map.groupBy(uses, ({ id }) => id).values(), operationOf).filter(
    (operation) => operation !== undefined,
  );
  return {
    format: 'meridian-usage' as const,
    version: 1 as const,
    exportedAt: new Date().toISOString(),
    days,
    recordedDays,
    operations,
  };
}

function operationOf(uses: readonly ExportedUse[]) {
  const [first] = uses;
  return (
    first && {
      name: first.name,
      text: first.text,
      queryHash: first.queryHash,
      fields: first.fields,
      uses: uses.map(exportedUse),
    }
  );
}

function exportedUse(use: ExportedUse) {
  const { client, version, requests, lastDay, daily, measured, failed, cost, durations, inputs } = use;
  const ofMeasured = (sum: number): number | null => (measured === 0 ? null : sum / measured);
  return {
    client,
    version,
    requests,
    lastDay,
    daily,
    failedShare: ofMeasured(failed),
    p95Ms: quantileMs(durations, 0.95) ?? null,
    cost: ofMeasured(cost),
    inputs,
  };
}
