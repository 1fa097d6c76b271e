import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { citusVariable, findCitus, startCitus } from '@meridian/postgres/citus';
import type { RunningCitus } from '@meridian/postgres/citus';

import { serverUrlVariable, throwawaySettings, workerUrlsVariable } from './test-server.ts';

declare global {
  var meridianTestCitus: RunningCitus | undefined;
}

/**
 * Starts the Citus cluster of the test run: suites that make a database get one that is distributed over two workers.
 */
export default async function setUp(): Promise<void> {
  const programs = await findCitus(process.env[citusVariable]);
  if (programs === undefined) {
    throw new Error(
      `There is no PostgreSQL with Citus on this machine: see docs/scale.md, or set ${citusVariable}`,
    );
  }
  const cluster = await startCitus({
    programs,
    dataDirectory: join(tmpdir(), `meridian-citus-${process.pid}`),
    workers: 2,
    settings: throwawaySettings,
    isThrowaway: true,
  });
  globalThis.meridianTestCitus = cluster;
  process.env[serverUrlVariable] = cluster.coordinator.url;
  process.env[workerUrlsVariable] = JSON.stringify(cluster.workers.map(({ url }) => url));
}
