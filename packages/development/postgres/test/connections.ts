import { Client } from 'pg';

/** Runs one statement on a server and returns its first row. */
export async function firstRow(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<object>(sql);
    return rows[0];
  } finally {
    await client.end();
  }
}
