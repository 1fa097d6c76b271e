import type { Database } from '@meridian/database';
import type { Actor } from '@meridian/events';
import { identifiersAmong } from '@meridian/subgraph';
// <entity>
import { isIdentifier } from '@meridian/subgraph';
// </entity>

import type { SparePart } from '../spare-parts/spare-part.ts';
// <entity>
import type { SparePartPage } from '../spare-parts/spare-part.ts';
// </entity>

/** Spare parts in PostgreSQL, one tenant's at a time. */
export function createSparePartStore(database: Database) {
  const { knex } = database;
  const columns = {
    id: 'id',
    name: 'name',
    // <entity>
    productId: 'product_id',
    // </entity>
  };

  return {
    /** The spare parts that exist among these identifiers, in no particular order. */
    findMany: (tenantId: string, ids: readonly string[], signal: AbortSignal): Promise<SparePart[]> => {
      const query = knex('spare_parts')
        .select(columns)
        .where({ tenant_id: tenantId })
        .whereRaw('id = any (?::uuid[])', [identifiersAmong(ids)]);
      return database.asTenant(tenantId, query, { signal });
    },

    /** The first spare parts by name, so many at most. */
    findFirst: (tenantId: string, first: number, signal: AbortSignal): Promise<SparePart[]> => {
      const query = knex('spare_parts')
        .select(columns)
        .where({ tenant_id: tenantId })
        .orderBy(['name', 'id'])
        .limit(first);
      return database.asTenant(tenantId, query, { signal });
    },
    // <entity>

    /** The spare parts on each of these pages, by name: one list for each page, in the order of the pages. */
    findPages: async (
      tenantId: string,
      pages: readonly SparePartPage[],
      signal: AbortSignal,
    ): Promise<SparePart[][]> => {
      const rows = await database.asTenant<SparePart & { page: number }>(
        tenantId,
        knex.raw(sparePartsOnPages, [JSON.stringify(storable(pages)), tenantId]),
        { signal, readOnly: true },
      );
      const sparePartsByPage = Map.groupBy(rows, (row) => row.page);
      return pages.map((_, page) => sparePartsByPage.get(page) ?? []);
    },
    // </entity>

    /**
     * Adds spare parts, each with its event; those that exist stay as they are.
     *
     * @param by absent for demo data
     */
    insertMany: async (
      tenantId: string,
      spareParts: readonly SparePart[],
      by?: { readonly actor: Actor; readonly signal: AbortSignal },
    ): Promise<void> => {
      await database.query(
        'select add_spare_parts($1, $2, $3, $4)',
        [tenantId, JSON.stringify(spareParts), by?.actor.issuer ?? null, by?.actor.subject ?? null],
        { tenantId, signal: by?.signal },
      );
    },
  };
}
// <entity>

/** The pages with their places, without those whose product cannot exist. */
function storable(pages: readonly SparePartPage[]) {
  return pages
    .map(({ productId, first }, page) => ({ page, product_id: productId, first }))
    .filter((wanted) => isIdentifier(wanted.product_id));
}

/** One statement however many products: for each page PostgreSQL reads so many entries of the index, and no more. */
const sparePartsOnPages = `
  select wanted.page, found.*
  from jsonb_to_recordset(?::jsonb) as wanted (page integer, product_id uuid, first integer)
  cross join lateral (
    select id, name, product_id as "productId"
    from spare_parts
    where tenant_id = ? and product_id = wanted.product_id
    order by name, id
    limit wanted.first
  ) found
  order by wanted.page, found.name, found.id`;
// </entity>
