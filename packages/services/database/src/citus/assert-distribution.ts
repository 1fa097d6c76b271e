import type { Statements } from '../connect-statements.ts';

/**
 * The service must not start on this Citus cluster, which would not run its statements on the worker of their tenant.
 */
export class UndistributedStore extends Error {
  override readonly name = 'UndistributedStore';
}

/**
 * Makes sure that a database on Citus is distributed completely: every table and function of the service by tenant,
 * policies that refuse a statement without one, and the settings of a transaction on the workers too. Has the
 * coordinator plan a call of each function, as proof that it delegates it. Does nothing on one PostgreSQL.
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
  const faults = rows.length > 0 ? rows : await findCallsOfCoordinator(database);
  if (faults.length > 0) {
    throw new UndistributedStore(
      `The database is not distributed as this service needs it: ${faults.map(({ fault }) => fault).join('; ')}. Run pnpm migrate <app> --distribute`,
    );
  }
}

/** Has the coordinator plan a call of each function that takes a tenant: each must be one task, on a worker. */
async function findCallsOfCoordinator(database: Statements): Promise<{ readonly fault: string }[]> {
  const calls = await database.query<{ name: string; explain: string }>(explainedCalls, [], {
    readOnly: true,
  });
  const faults: { fault: string }[] = [];
  for (const { name, explain } of calls) {
    const lines = await database.query<{ 'QUERY PLAN': string }>(explain, [], { readOnly: true });
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    if (!/^Custom Scan \(Citus Adaptive\)\n +Task Count: 1\n/u.test(plan)) {
      faults.push({ fault: `a call of ${name} is not delegated: ${plan.split('\n')[0]}` });
    }
  }
  return faults;
}

/** On a cluster without any distributed table of the schema, the functions run where the tables are. */
const explainedCalls = `
  select f.proname as name,
    format('explain (costs off) select * from %I(%s)', f.proname, (
      select string_agg(case position when 1 then $$''$$ else 'null' end || '::' || format_type(type, null), ', ' order by position)
      from unnest(f.proargtypes::oid[]) with ordinality arguments (type, position)
    )) as explain
  from pg_catalog.pg_proc f
  where f.pronamespace = 'public'::regnamespace and f.proargnames[1] = 'p_tenant_id'
    and exists (
      select from pg_catalog.pg_dist_partition p
      join pg_catalog.pg_class c on c.oid = p.logicalrelid
      where c.relnamespace = 'public'::regnamespace
    )
  order by name`;

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
    select format('the policy of the table %s lets a statement without a tenant through', t.relname)
    from tables t
    join pg_catalog.pg_policy policy on policy.polrelid = t.oid
    where pg_catalog.pg_get_expr(policy.polqual, t.oid) is distinct from '(tenant_id = required_tenant())'
    union all
    select format(
      'statements of several shards are not refused; as superuser, run alter role %I in database %I set citus.multi_task_query_log_level = %L',
      current_user, current_database(), 'error'
    )
    where pg_catalog.current_setting('citus.multi_task_query_log_level') <> 'error'
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
