import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';

import { provisionDatabase } from '../provision/provision-database.ts';
import type { ProvisionDatabaseOptions, ProvisionedDatabase } from '../provision/provision-database.ts';
import { withClient } from '../with-client.ts';

/** The database to create on every node of a cluster. */
export interface ProvisionCitusDatabaseOptions extends Omit<ProvisionDatabaseOptions, 'adminUrl'> {
  /** `postgresql://…` of the coordinator, as superuser, as the workers reach it. */
  readonly coordinatorUrl: string;
  /** `postgresql://…` of the workers, as superuser, as the coordinator reaches them. */
  readonly workerUrls: readonly string[];
}

/**
 * Creates a database and its roles on the nodes of a Citus cluster that lack them, and joins the nodes. May run again,
 * also to add workers.
 *
 * @returns its address on the coordinator
 */
export async function provisionCitusDatabase({
  coordinatorUrl,
  workerUrls,
  ...options
}: ProvisionCitusDatabaseOptions): Promise<ProvisionedDatabase> {
  const [provisioned] = await Promise.all(
    [coordinatorUrl, ...workerUrls].map((adminUrl) => provisionDatabase({ ...options, adminUrl })),
  );
  if (provisioned === undefined) {
    throw new Error('a cluster has at least a coordinator');
  }
  const passwords = [
    {
      role: new URL(coordinatorUrl).username,
      password: decodeURIComponent(new URL(coordinatorUrl).password),
    },
    { role: options.serviceRole, password: options.servicePassword },
    ...(options.owner === undefined ? [] : [options.owner]),
  ];
  const inDatabase = (url: string): string => {
    const address = new URL(url);
    address.pathname = `/${encodeURIComponent(options.database)}`;
    return address.href;
  };
  await Promise.all(
    [coordinatorUrl, ...workerUrls].map((url) =>
      withClient(inDatabase(url), async (client) => {
        await prepareNode(client, passwords);
        await refuseShardQueries(client, options);
      }),
    ),
  );
  await withClient(inDatabase(coordinatorUrl), (client) => joinNodes(client, coordinatorUrl, workerUrls));
  return provisioned;
}

/** The nodes connect to each other as the role that connected to them, with the passwords in `pg_dist_authinfo`. */
async function prepareNode(
  client: Client,
  passwords: readonly { readonly role: string; readonly password: string }[],
): Promise<void> {
  await client.query('create extension if not exists citus');
  for (const { role, password } of passwords) {
    await client.query(
      `insert into pg_dist_authinfo (nodeid, rolename, authinfo) values (0, $1, $2)
       on conflict (rolename, nodeid) do update set authinfo = excluded.authinfo`,
      [role, `password='${password.replaceAll(/['\\]/gu, String.raw`\$&`)}'`],
    );
  }
}

/**
 * A statement of the service that would ask several shards, since it names no tenant, is refused the first time that it
 * runs.
 */
async function refuseShardQueries(
  client: Client,
  { database, serviceRole }: Pick<ProvisionCitusDatabaseOptions, 'database' | 'serviceRole'>,
): Promise<void> {
  await client.query('set citus.enable_alter_role_set_propagation = off');
  await client.query(
    `alter role ${escapeIdentifier(serviceRole)} in database ${escapeIdentifier(database)}
     set citus.multi_task_query_log_level = 'error'`,
  );
}

async function joinNodes(
  client: Client,
  coordinatorUrl: string,
  workerUrls: readonly string[],
): Promise<void> {
  // Every node has the roles already. Two databases that are joined at the same time would alter them at the same time.
  await client.query(
    'set citus.enable_create_role_propagation = off; set citus.enable_alter_role_propagation = off',
  );
  const { hostname, port } = new URL(coordinatorUrl);
  await client.query('select citus_set_coordinator_host($1, $2)', [hostname, port]);
  for (const url of workerUrls) {
    const worker = new URL(url);
    await client.query('select citus_add_node($1, $2)', [worker.hostname, worker.port]);
  }
}
