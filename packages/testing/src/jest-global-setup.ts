import type { RunningPostgres } from '@meridian/postgres';

import { serverUrlVariable, startTestServer } from './test-server.ts';

declare global {
  var meridianTestServer: RunningPostgres | undefined;
}

/** Starts the one PostgreSQL of the test run. */
export default async function setUp(): Promise<void> {
  globalThis.meridianTestServer = await startTestServer();
  process.env[serverUrlVariable] = globalThis.meridianTestServer.url;
}
