import type { Statements } from '../connect-statements.ts';

/**
 * The service must not start on this Citus cluster, which would not run its statements on the worker of their tenant.
 */
export class UndistributedStore extends Error {
  override readonly name = 'UndistributedStore';
}

/**
 * Makes sure that a database on Citus is distributed completely: every table and function of the service by tenant, and
 * the settings of a transaction on the workers too. Does nothing on one PostgreSQL.
 *
 * @throws {UndistributedStore} for a worker instead of the coordinator, and for what `pnpm migrate --distribute` would
 * do
 */
export async function assertDistribution(database: Statements): Promise<void> {
  const options = { readOnly: true };
  const [found] = await database.query<{ isCitus: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as "isCitus"`,
    [],
    options,
  );
  if (found?.isCitus !== true) {
    return;
  }
  const rows = await database.query<{ fault: string }>(faultsOfDistribution, [], options);
  if (rows.length > 0) {
    throw new UndistributedStore(
      `The database is not distributed as this service needs it: ${rows.map(({ fault }) => fault).join('; ')}. Run pnpm migrate <app> --distribute`,
    );
  }
}

/** A cluster without a distributed table of the schema counts as one PostgreSQL. */
const faultsOfDistribution = `
  with tables as (
    select c.oid, c.relname, tenant.attnum is not null as has_tenant
    from pg_catalog.pg_class c
    left join pg_catalog.pg_attribute tenant
      on tenant.attrelid = c.oid and tenant.attname = 'tenant_id' and not tenant.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and pg_catalog.has_table_privilege(c.oid, 'select')
  )
  select fault from (
    select 'DATABASE_URL names a worker instead of the coordinator' as fault
    from pg_catalog.pg_dist_local_group where groupid <> 0
    union all
    select format('the table %s is on the coordinator only', t.relname)
    from tables t
    left join pg_catalog.pg_dist_partition p on p.logicalrelid = t.oid
    where p.logicalrelid is null
    union all
    select format('the table %s is not sharded by tenant_id', t.relname)
    from tables t
    join pg_catalog.pg_dist_partition p on p.logicalrelid = t.oid
    where t.has_tenant and (p.partmethod <> 'h' or column_to_column_name(p.logicalrelid, p.partkey) <> 'tenant_id')
    union all
    select format('the function %s does not run on the worker of its tenant', f.proname)
    from pg_catalog.pg_proc f
    left join pg_catalog.pg_dist_object o on o.classid = 'pg_proc'::regclass and o.objid = f.oid
    where f.pronamespace = 'public'::regnamespace and f.proargnames[1] = 'p_tenant_id'
      and o.distribution_argument_index is distinct from 0
    union all
    select 'the settings of a transaction do not reach the workers'
    where pg_catalog.current_setting('citus.propagate_set_commands') <> 'local'
  ) faults
  where exists (
    select from pg_catalog.pg_dist_partition p
    join pg_catalog.pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = 'public'::regnamespace
  )
  order by fault`;
