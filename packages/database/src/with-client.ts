import { Client } from 'pg';

/** Connects once, as an owner or administrator, for work that has no deadline. The end rolls an open transaction back. */
export async function withClient<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: 'meridian-setup' });
  // Each statement says so too when the connection is lost; unheard here, it ends the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
