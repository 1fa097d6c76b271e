import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';

import { MigrationError } from '../migration/migration-error.ts';
import { retryConflicts } from '../statement/retry-conflicts.ts';
import { withClient } from '../with-client.ts';
import type { Distribution } from './distribution.ts';
import type { PlannedStep } from './required-tenant.ts';
import { requireCoordinator } from './require-coordinator.ts';
import { policyOf, requiredTenantFunction } from './required-tenant.ts';

/** The database and how to spread it. */
export interface DistributeDatabaseOptions {
  /** `postgresql://…` of the coordinator, of the role that owns the tables. */
  readonly ownerUrl: string;
  readonly distribution: Distribution;
  /** The role that the service logs in as. */
  readonly serviceRole: string;
  /** The number of shards of each table. It bounds the number of workers. Default: 32. */
  readonly shardCount?: number | undefined;
  /** Called with each step before it runs. */
  readonly onStep?: (step: string) => void;
}

const defaultShardCount = 32;

/**
 * Makes sure that `distributeDatabase` can run, before the migrations do.
 *
 * @throws {MigrationError} when the cluster lacks something, and says what
 */
export function checkCoordinator({
  ownerUrl,
  serviceRole,
}: Pick<DistributeDatabaseOptions, 'ownerUrl' | 'serviceRole'>): Promise<void> {
  return withClient(ownerUrl, (client) => requireCoordinator(client, serviceRole));
}

/**
 * Spreads a migrated database over the workers of its Citus cluster, as declared: copies reference tables to every
 * node, shards tables by tenant, has functions run on the worker of their tenant, and policies refuse a statement
 * without one. Skips the steps that an earlier run has done.
 *
 * @returns the steps that it ran
 * @throws {MigrationError} if the cluster or the schema does not allow it
 */
export async function distributeDatabase(options: DistributeDatabaseOptions): Promise<string[]> {
  const { distribution, onStep = () => undefined } = options;
  return await withClient(options.ownerUrl, async (client) => {
    await requireCoordinator(client, options.serviceRole);
    const steps: string[] = [];
    const [first] = Object.keys(distribution.tables);
    if (first === undefined) {
      throw new MigrationError('The distribution names no table');
    }
    const shardCount = options.shardCount ?? defaultShardCount;
    for (const planned of [
      ...distribution.referenceTables.map(referenceTable),
      ...Object.entries(distribution.tables).map(([table, column]) =>
        distributedTable({ table, column, first, shardCount }),
      ),
      ...Object.entries(distribution.functions).map(([name, argument]) =>
        delegatedFunction({ name, argument, first }),
      ),
      requiredTenantFunction,
      ...Object.entries(distribution.tables).map(([table, column]) => policyOf(table, column)),
      propagatedSettings,
    ]) {
      const run = await planned.find(client);
      if (run !== undefined) {
        onStep(planned.step);
        await retryConflicts(() =>
          alone(client, async () => {
            await (
              await planned.find(client)
            )?.();
          }),
        );
        steps.push(planned.step);
      }
    }
    return steps;
  });
}

/** Runs a step under the lock that migrations take, so that no other migrator runs at the same time. */
async function alone(client: Client, run: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query('lock table schema_migrations in exclusive mode');
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    await run();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function referenceTable(table: string): PlannedStep {
  return {
    step: `reference table ${table}`,
    async find(client) {
      const kind = await kindOf(client, table);
      if (kind !== undefined && kind !== 'reference') {
        throw new MigrationError(
          `The table ${table} is sharded by ${kind.column}, and is declared a reference table`,
        );
      }
      return kind === undefined
        ? () => client.query('select create_reference_table($1::regclass)', [table])
        : undefined;
    },
  };
}

interface TablePlan {
  readonly table: string;
  readonly column: string;
  /** The table that all others are colocated with, so that a tenant's rows are on one worker. */
  readonly first: string;
  readonly shardCount: number;
}

function distributedTable({ table, column, first, shardCount }: TablePlan): PlannedStep {
  return {
    step: `table ${table} by ${column}`,
    async find(client) {
      const kind = await kindOf(client, table);
      if (kind === undefined) {
        return table === first
          ? () =>
              client.query(
                `select create_distributed_table($1::regclass, $2, colocate_with => 'none', shard_count => $3)`,
                [table, column, shardCount],
              )
          : () =>
              client.query(`select create_distributed_table($1::regclass, $2, colocate_with => $3)`, [
                table,
                column,
                first,
              ]);
      }
      if (kind === 'reference' || kind.column !== column) {
        const actual = kind === 'reference' ? 'a reference table' : `sharded by ${kind.column}`;
        throw new MigrationError(`The table ${table} is ${actual}, and is declared sharded by ${column}`);
      }
      return undefined;
    },
  };
}

async function kindOf(
  client: Client,
  table: string,
): Promise<'reference' | { readonly column: string } | undefined> {
  const { rows } = await client.query<{ column: string | null }>(
    `select column_to_column_name(logicalrelid, partkey) as column
     from pg_dist_partition where logicalrelid = to_regclass($1) and repmodel in ('s', 't')`,
    [table],
  );
  const [row] = rows;
  if (row === undefined) {
    return undefined;
  }
  return row.column === null ? 'reference' : { column: row.column };
}

interface FunctionPlan {
  readonly name: string;
  readonly argument: string;
  readonly first: string;
}

/**
 * Without `force_delegation`, under which no query may touch a reference table. So a call by itself runs on the worker;
 * in a transaction it runs on the coordinator, statement by statement.
 */
function delegatedFunction({ name, argument, first }: FunctionPlan): PlannedStep {
  return {
    step: `function ${name} by ${argument}`,
    async find(client) {
      const { rows } = await client.query<{ isDelegated: boolean }>(
        `select exists (
           select from pg_catalog.pg_dist_object o
           where o.classid = 'pg_proc'::regclass and o.objid = p.oid and not coalesce(o.force_delegation, false)
             and p.proargnames[o.distribution_argument_index + 1] = $2
             and o.colocationid = (select colocationid from pg_dist_partition where logicalrelid = to_regclass($3))
         ) as "isDelegated"
         from pg_catalog.pg_proc p where p.oid = to_regproc($1)`,
        [name, argument, first],
      );
      const [found] = rows;
      if (found === undefined) {
        throw new MigrationError(`There is no function ${name}, or several; the distribution declares one`);
      }
      return found.isDelegated
        ? undefined
        : () =>
            client.query(
              `select create_distributed_function(to_regproc($1)::oid::regprocedure, $2, colocate_with => $3, force_delegation => false)`,
              [name, argument, first],
            );
    },
  };
}

/** The tenant is set by `set local`; row-level security on the workers needs it too. */
const propagatedSettings: PlannedStep = {
  step: 'settings of a transaction go to the workers',
  async find(client) {
    const { rows } = await client.query<{ name: string; isSet: boolean }>(
      `select d.datname as name, exists (
         select from pg_catalog.pg_db_role_setting s
         where s.setdatabase = d.oid and s.setrole = 0 and 'citus.propagate_set_commands=local' = any (s.setconfig)
       ) as "isSet"
       from pg_catalog.pg_database d where d.datname = current_database()`,
    );
    const [current] = rows;
    return current === undefined || current.isSet
      ? undefined
      : () =>
          client.query(
            `alter database ${escapeIdentifier(current.name)} set citus.propagate_set_commands = 'local'`,
          );
  },
};
