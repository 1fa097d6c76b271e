import process from 'node:process';

import { withCopy } from '@meridian/database';
import type { CopyBatch } from '@meridian/database';
import { integer, readEnvironment, text, variable } from '@meridian/settings/environment';

import type { SeedConfig } from './run-seed.ts';
import { readSeedConfig } from './run-seed.ts';

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

/** The configuration of the generator of a large tenant. `pnpm generate-data` sets it. */
export interface GenerateConfig extends SeedConfig {
  readonly tenantId: string;
  readonly size: { readonly products: number; readonly reviews: number; readonly orders: number };
}

const rows = variable(integer({ minimum: 0, maximum: 100_000_000 }), {});

/** @throws {EnvironmentError} with every variable at fault */
export function readGenerateConfig(env: Readonly<Record<string, string | undefined>>): GenerateConfig {
  const read = readEnvironment(env, {
    GENERATE_TENANT: variable(text, {}),
    GENERATE_PRODUCTS: rows,
    GENERATE_REVIEWS: rows,
    GENERATE_ORDERS: rows,
  });
  return {
    ...readSeedConfig(env),
    tenantId: read.GENERATE_TENANT,
    size: {
      products: read.GENERATE_PRODUCTS,
      reviews: read.GENERATE_REVIEWS,
      orders: read.GENERATE_ORDERS,
    },
  };
}
