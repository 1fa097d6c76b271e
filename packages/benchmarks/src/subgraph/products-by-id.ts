// The data access of the two that are compared with the kit: the statements that the products subgraph sends, and
// nothing around them.
import process from 'node:process';

import { Pool } from 'pg';

/** A row, as the graph shows it. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly priceMinorUnits: number;
}

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10, pipeline: true });

const select = `select "id", "name", "price_minor_units" as "priceMinorUnits", "weight_grams" as "weightGrams"
  from "products" where "tenant_id" = $1 and id = any ($2::uuid[])`;

/** The products that exist among these, in no particular order, in one round trip under row-level security. */
export async function findProducts(tenantId: string, ids: readonly string[]): Promise<readonly Product[]> {
  const client = await pool.connect();
  try {
    const { stream } = client.connection;
    stream.cork();
    const parts = Promise.all([
      client.query(`begin read only; set local meridian.tenant_id = '${tenantId}'`),
      client.query<Product>(select, [tenantId, ids]),
      client.query('commit'),
    ]);
    stream.uncork();
    return (await parts)[1].rows;
  } finally {
    client.release();
  }
}
