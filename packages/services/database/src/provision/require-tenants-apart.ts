import type { Client } from 'pg';

import { MigrationError } from '../migration/migration-error.ts';

/**
 * Makes sure that every table with a `tenant_id` keeps tenants apart: row-level security is on and forced, so that it
 * binds the owner too, and the primary key starts with the tenant.
 *
 * @throws {MigrationError} with the names of the tables that do not
 */
export async function requireTenantsApart(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(`
    select c.oid::regclass::text as table
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute tenant
      on tenant.attrelid = c.oid and tenant.attname = 'tenant_id' and not tenant.attisdropped
    left join pg_catalog.pg_index primary_key on primary_key.indrelid = c.oid and primary_key.indisprimary
    where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not (c.relrowsecurity and c.relforcerowsecurity and primary_key.indkey[0] is not distinct from tenant.attnum)
    order by 1`);
  if (rows.length > 0) {
    throw new MigrationError(
      `These tables do not keep tenants apart: ${rows.map(({ table }) => table).join(', ')}. A table with a tenant_id takes ` +
        'enable and force row level security, a policy on tenant_id, and a primary key that starts with it',
    );
  }
}
