import type { Database } from '@meridian/database';
import { identifiersAmong } from '@meridian/subgraph';
// <entity>
import { isIdentifier } from '@meridian/subgraph';
// </entity>

import type { Sample } from '../samples/sample.ts';
// <entity>
import type { SamplePage } from '../samples/sample.ts';
// </entity>

/** Samples in PostgreSQL, one tenant's at a time. */
export interface SampleStore {
  /** The samples that exist among these identifiers, in no particular order. */
  readonly findMany: (tenantId: string, ids: readonly string[], signal: AbortSignal) => Promise<Sample[]>;
  /** The first samples by name, so many at most. */
  readonly findFirst: (tenantId: string, first: number, signal: AbortSignal) => Promise<Sample[]>;
  // <entity>
  /** The samples on each of these pages, by name: one list for each page, in the order of the pages. */
  readonly findPages: (
    tenantId: string,
    pages: readonly SamplePage[],
    signal: AbortSignal,
  ) => Promise<Sample[][]>;
  // </entity>
  /** Adds samples; those that exist stay as they are. */
  readonly insertMany: (tenantId: string, samples: readonly Sample[]) => Promise<void>;
}

export function createSampleStore(database: Database): SampleStore {
  const { knex } = database;
  const columns = {
    id: 'id',
    name: 'name',
    // <entity>
    productId: 'product_id',
    // </entity>
  };

  return {
    findMany(tenantId, ids, signal) {
      const query = knex('samples')
        .select(columns)
        .where({ tenant_id: tenantId })
        .whereRaw('id = any (?::uuid[])', [identifiersAmong(ids)]);
      return database.asTenant(tenantId, query, { signal });
    },

    findFirst(tenantId, first, signal) {
      const query = knex('samples')
        .select(columns)
        .where({ tenant_id: tenantId })
        .orderBy(['name', 'id'])
        .limit(first);
      return database.asTenant(tenantId, query, { signal });
    },
    // <entity>

    async findPages(tenantId, pages, signal) {
      const rows = await database.asTenant<Sample & { page: number }>(
        tenantId,
        knex.raw(samplesOnPages, [JSON.stringify(storable(pages)), tenantId]),
        { signal, readOnly: true },
      );
      const samplesByPage = Map.groupBy(rows, (row) => row.page);
      return pages.map((_, page) => samplesByPage.get(page) ?? []);
    },
    // </entity>

    async insertMany(tenantId, samples) {
      const rows = samples.map((sample) => ({
        tenant_id: tenantId,
        id: sample.id,
        name: sample.name,
        // <entity>
        product_id: sample.productId,
        // </entity>
      }));
      await database.asTenant(tenantId, knex('samples').insert(rows).onConflict().ignore());
    },
  };
}
// <entity>

/** The pages with their places, without those whose product cannot exist. */
function storable(pages: readonly SamplePage[]) {
  return pages
    .map(({ productId, first }, page) => ({ page, product_id: productId, first }))
    .filter((wanted) => isIdentifier(wanted.product_id));
}

/** One statement however many products: for each page PostgreSQL reads so many entries of the index, and no more. */
const samplesOnPages = `
  select wanted.page, found.*
  from jsonb_to_recordset(?::jsonb) as wanted (page integer, product_id uuid, first integer)
  cross join lateral (
    select id, name, product_id as "productId"
    from samples
    where tenant_id = ? and product_id = wanted.product_id
    order by name, id
    limit wanted.first
  ) found
  order by wanted.page, found.name, found.id`;
// </entity>
