import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '@meridian/postgres';
import { offerTestServer } from '@meridian/postgres/test-server';
import type { OwnedTestServer } from '@meridian/postgres/test-server';

declare global {
  var meridianTestServer: OwnedTestServer | undefined;
}

/** Nothing of a test run needs to survive a crash of the machine. */
export const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** Offers one PostgreSQL to the test run, which ends with this process. While jest watches, all runs have the same. */
export default async function setUp(): Promise<void> {
  globalThis.meridianTestServer ??= await offerTestServer(async () => {
    const server = await startPostgres({
      dataDirectory: join(tmpdir(), `meridian-test-${randomUUID()}`),
      port: 0,
      isThrowaway: true,
      settings: throwawaySettings,
    });
    return { url: server.url, workerUrls: [], stop: () => server.stop() };
  });
}
