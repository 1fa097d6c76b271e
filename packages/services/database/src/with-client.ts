import { Client } from 'pg';

/**
 * Connects once, as an owner or administrator, for work that has no deadline. Closing rolls back an open transaction.
 */
export async function withClient<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: 'meridian-setup' });
  // A lost connection fails the statement and emits this event. Without a listener, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
