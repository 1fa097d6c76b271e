import process from 'node:process';

import { withCopy } from '@meridian/database';
import type { CopyBatch } from '@meridian/database';

import type { SeedConfig } from './run-seed.ts';

/** Rows that are generated on demand, by position. */
export interface GeneratedPart {
  readonly total: number;
  /** The rows at the positions from `from` up, without `to`. */
  batchOf(range: { readonly from: number; readonly to: number }): CopyBatch;
}

/** The number of rows of a batch: 10 000 rows of some hundred bytes are a megabyte or two. */
const batchSize = 10_000;

/**
 * Copies the parts into the database, one after another, and prints the progress after each batch: `seed <rows done>
 * <rows in all>`.
 */
export async function runGenerator(
  { databaseUrl }: SeedConfig,
  parts: readonly GeneratedPart[],
): Promise<void> {
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  let done = 0;
  await withCopy(databaseUrl, async (copyNewRows) => {
    for (const part of parts) {
      for (let from = 0; from < part.total; from += batchSize) {
        const to = Math.min(part.total, from + batchSize);
        await copyNewRows(part.batchOf({ from, to }));
        done += to - from;
        process.stdout.write(`seed ${done} ${total}\n`);
      }
    }
  });
}
