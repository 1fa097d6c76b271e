import { Client } from 'pg';

/**
 * Counts the connections that wait for a lock in a database on any of its nodes: a service's own, and those that Citus
 * makes for it.
 */
export async function countLockWaits(urls: readonly string[], applicationName: string): Promise<number> {
  const counts = await Promise.all(urls.map((url) => countOn(url, applicationName)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countOn(url: string, applicationName: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
       where (application_name = $1 or application_name like 'citus_internal %')
         and wait_event_type = 'Lock' and datname = current_database()`,
      [applicationName],
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
