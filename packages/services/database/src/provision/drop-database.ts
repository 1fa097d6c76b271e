import { escapeIdentifier } from 'pg';

import { withClient } from '../with-client.ts';

/** Removes a database if it exists, with any connection that is still open. Its roles stay. */
export async function dropDatabase(adminUrl: string, database: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`drop database if exists ${escapeIdentifier(database)} with (force)`);
  });
}
