import type { Database } from '@meridian/database';
import type { Actor } from '@meridian/events';
import { identifiersAmong, isIdentifier } from '@meridian/subgraph';

import type { NewProduct, Product } from '../products/product.ts';

/** Products in PostgreSQL, one tenant's at a time. */
export function createProductStore(database: Database) {
  const { knex } = database;
  const columns = ['id', 'name', 'price_minor_units as priceMinorUnits', 'weight_grams as weightGrams'];

  return {
    /** The products that exist among these identifiers, in no particular order. */
    findMany: (tenantId: string, ids: readonly string[], signal: AbortSignal): Promise<Product[]> => {
      const query = knex.raw(productsById, [tenantId, identifiersAmong(ids)]);
      return database.asTenant(tenantId, query, { signal, readOnly: true });
    },

    /** The best-selling products, best first. */
    findBestSelling(tenantId: string, first: number, signal: AbortSignal): Promise<Product[]> {
      const query = knex('products')
        .select(columns)
        .where({ tenant_id: tenantId })
        .orderBy([{ column: 'units_sold', order: 'desc' }, 'id'])
        .limit(first);
      return database.asTenant(tenantId, query, { signal });
    },

    /** The product with its new price, or undefined where there is no such product. */
    async setPrice(
      tenantId: string,
      id: string,
      priceMinorUnits: number,
      { actor: { issuer, subject }, signal }: { readonly actor: Actor; readonly signal: AbortSignal },
    ): Promise<Product | undefined> {
      if (!isIdentifier(id)) {
        return undefined;
      }
      const [product] = await database.query<Product>(
        setProductPrice,
        [tenantId, id, priceMinorUnits, issuer, subject],
        { tenantId, signal },
      );
      return product;
    },

    /** Adds products; existing ones stay as they are. */
    async insertMany(tenantId: string, products: readonly NewProduct[]): Promise<void> {
      const rows = products.map((product) => ({
        tenant_id: tenantId,
        id: product.id,
        name: product.name,
        price_minor_units: product.priceMinorUnits,
        weight_grams: product.weightGrams,
        units_sold: product.unitsSold,
      }));
      await database.asTenant(tenantId, knex('products').insert(rows).onConflict().ignore());
    },
  };
}

const setProductPrice = `
  select $2 as id, name, price_minor_units as "priceMinorUnits", weight_grams as "weightGrams"
  from set_product_price($1, $2, $3, $4, $5)`;

/** Written as text, because entity lookups need it: knex takes three times as long to build it each time. */
const productsById = `
  select id, name, price_minor_units as "priceMinorUnits", weight_grams as "weightGrams"
  from products
  where tenant_id = ? and id = any (?::uuid[])`;
