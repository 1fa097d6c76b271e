import type { Database } from '../../../packages/services/database/src/index.ts';

/**
 * The identifiers that a tenant has in a database, in a list for each column that holds some: a new kind of thing is
 * covered at once.
 *
 * @param admin may read the catalog and all tables
 */
export async function identifiersIn(admin: Pick<Database, 'query'>, tenantId: string): Promise<string[][]> {
  const columns = await admin.query<{ table: string; column: string }>(
    `select format('%I', identifiers.table_name) as "table", format('%I', identifiers.column_name) as "column"
    from information_schema.columns as identifiers
    join information_schema.columns as tenants using (table_schema, table_name)
    where table_schema = 'public' and identifiers.data_type = 'uuid' and tenants.column_name = 'tenant_id'
    order by 1, 2`,
    [],
    { readOnly: true },
  );
  const kinds: string[][] = [];
  for (const { table, column } of columns) {
    const rows = await admin.query<{ id: string }>(
      `select distinct ${column} as id from ${table} where tenant_id = $1 and ${column} is not null order by 1`,
      [tenantId],
      { readOnly: true },
    );
    kinds.push(rows.map(({ id }) => id));
  }
  return kinds.filter((ids) => ids.length > 0);
}
