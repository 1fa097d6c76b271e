import type { Client } from 'pg';

import { MigrationError } from '../migration/migration-error.ts';

/**
 * Makes sure that a database is the coordinator's of a Citus cluster that can take shards, and that the service's role
 * exists on every node.
 *
 * @throws {MigrationError} with what is missing, and how to add it
 */
export async function requireCoordinator(client: Client, serviceRole: string): Promise<void> {
  const { rows: extensions } = await client.query(
    `select from pg_catalog.pg_extension where extname = 'citus'`,
  );
  if (extensions.length === 0) {
    throw new MigrationError(
      'The database has no Citus: as superuser, run `create extension citus` in it on every node, and add the workers ' +
        '(docs/scale.md). Without --distribute, one PostgreSQL does',
    );
  }
  const { rows } = await client.query<{ group: number; coordinators: number; workers: number }>(`
    select
      (select groupid from pg_dist_local_group) as "group",
      (select count(*) from pg_dist_node where groupid = 0)::integer as coordinators,
      (select count(*) from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary')::integer as workers`);
  const [cluster] = rows;
  if (cluster !== undefined && cluster.group !== 0) {
    throw new MigrationError(
      `DATABASE_URL names a worker (group ${cluster.group}), which distributes nothing: it takes the coordinator's`,
    );
  }
  if (cluster?.coordinators === 0) {
    throw new MigrationError(
      "The coordinator does not know its own address, which reference tables need: as superuser, run `select citus_set_coordinator_host('<host>', <port>)`",
    );
  }
  if (cluster?.workers === 0) {
    throw new MigrationError(
      "The cluster has no worker that takes shards: as superuser, run `select citus_add_node('<host>', <port>)` for each",
    );
  }
  await requireRoleEverywhere(client, serviceRole);
}

/** On the workers, rights and row-level security depend on the role's name. */
async function requireRoleEverywhere(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ node: string; success: boolean; result: string }>(
    `select n.nodename || ':' || n.nodeport as node, r.success, r.result
     from run_command_on_all_nodes(
       format('select count(*) from pg_catalog.pg_roles where rolname = %L', $1::text)
     ) r
     join pg_dist_node n using (nodeid)`,
    [role],
  );
  const unreachable = rows.find(({ success }) => !success);
  if (unreachable !== undefined) {
    throw new MigrationError(`The node ${unreachable.node} does not respond: ${unreachable.result}`);
  }
  const without = rows.filter(({ result }) => result !== '1').map(({ node }) => node);
  if (without.length > 0) {
    throw new MigrationError(
      `There is no role ${role} on ${without.join(', ')}: create it on every node first`,
    );
  }
}
