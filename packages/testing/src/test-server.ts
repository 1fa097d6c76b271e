// jest runs its global setup and teardown in one process, apart from the suites: what the one keeps for the other is
// here, and what the suites get is in the environment.
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '@meridian/postgres';
import type { RunningPostgres } from '@meridian/postgres';

/** The variable that holds the run's PostgreSQL, as `postgresql://…` of a superuser. */
export const serverUrlVariable = 'MERIDIAN_TEST_POSTGRES_URL';

/** A server for one test run in the system's directory for temporary files. It goes away with this process. */
export function startTestServer(): Promise<RunningPostgres> {
  return startPostgres({
    dataDirectory: join(tmpdir(), `meridian-test-${randomUUID()}`),
    port: 0,
    isThrowaway: true,
    // Nothing of it needs to survive a crash.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  });
}

/** The run's PostgreSQL. */
export function testServerUrl(): string {
  const url = process.env[serverUrlVariable];
  if (url === undefined) {
    throw new Error(`${serverUrlVariable} is not set: tests with a database run under jest's global setup`);
  }
  return url;
}
