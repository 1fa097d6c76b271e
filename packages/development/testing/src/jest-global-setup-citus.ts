import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { citusVariable, findCitus, startCitus } from '@meridian/postgres/citus';
import { offerTestServer } from '@meridian/postgres/test-server';

import { throwawaySettings } from './jest-global-setup.ts';

/** Offers a Citus cluster: suites that make a database get one that is distributed over two workers. */
export default async function setUp(): Promise<void> {
  const programs = await findCitus(process.env[citusVariable]);
  if (programs === undefined) {
    throw new Error(
      `There is no PostgreSQL with Citus on this machine: see docs/scale.md, or set ${citusVariable}`,
    );
  }
  globalThis.meridianTestServer ??= await offerTestServer(async () => {
    const cluster = await startCitus({
      programs,
      dataDirectory: join(tmpdir(), `meridian-citus-${process.pid}`),
      workers: 2,
      settings: throwawaySettings,
      isThrowaway: true,
    });
    return {
      url: cluster.coordinator.url,
      workerUrls: cluster.workers.map(({ url }) => url),
      stop: () => cluster.stop(),
    };
  });
}
