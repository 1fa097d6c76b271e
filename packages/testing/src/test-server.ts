// jest runs its global setup and teardown in one process, apart from the suites. This module keeps state for the
// teardown; suites get theirs through the environment.
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '@meridian/postgres';
import type { RunningPostgres } from '@meridian/postgres';

/** The variable that holds the run's PostgreSQL, as `postgresql://…` of a superuser. */
export const serverUrlVariable = 'MERIDIAN_TEST_POSTGRES_URL';

/**
 * The variable that holds the workers of the run's Citus cluster, as a JSON list of such URLs; absent without a
 * cluster.
 */
export const workerUrlsVariable = 'MERIDIAN_TEST_CITUS_WORKERS';

/** Nothing of a test run needs to survive a crash of the machine. */
export const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** A server for one test run in the system's directory for temporary files. It ends with this process. */
export function startTestServer(): Promise<RunningPostgres> {
  return startPostgres({
    dataDirectory: join(tmpdir(), `meridian-test-${randomUUID()}`),
    port: 0,
    isThrowaway: true,
    settings: throwawaySettings,
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

/** The workers of the run's Citus cluster, of which `testServerUrl` is the coordinator; none on one PostgreSQL. */
export function testWorkerUrls(): string[] {
  const text = process.env[workerUrlsVariable];
  const urls: unknown = text === undefined ? [] : JSON.parse(text);
  return Array.isArray(urls) ? urls.map(String) : [];
}
