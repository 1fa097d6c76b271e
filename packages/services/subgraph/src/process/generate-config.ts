import { integer, readEnvironment, text, variable } from '@meridian/settings/environment';

import { readSeedConfig } from './run-seed.ts';
import type { SeedConfig } from './run-seed.ts';

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
