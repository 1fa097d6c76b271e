import type { Database } from '@meridian/database';
import { identifiersAmong } from '@meridian/subgraph';

import type { Customer } from '../orders/customer.ts';

/** Customers in PostgreSQL, one tenant's at a time. */
export function createCustomerStore(database: Database) {
  const { knex } = database;

  return {
    /** The customers who exist among these identifiers, in no particular order. */
    findMany: (tenantId: string, ids: readonly string[], signal: AbortSignal): Promise<Customer[]> => {
      const query = knex('customers')
        .select('id', 'name')
        .where({ tenant_id: tenantId })
        .whereRaw('id = any (?::uuid[])', [identifiersAmong(ids)]);
      return database.asTenant(tenantId, query, { signal });
    },

    /** Adds customers; existing ones stay as they are. */
    async insertMany(tenantId: string, customers: readonly Customer[]): Promise<void> {
      const rows = customers.map(({ id, name }) => ({ tenant_id: tenantId, id, name }));
      await database.asTenant(tenantId, knex('customers').insert(rows).onConflict().ignore());
    },
  };
}
