import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { findProcess } from '@meridian/processes';

import { PostgresError, startPostgres } from '../src/index.ts';
import { createReadyCluster } from './ready-cluster.ts';
import type { ReadyCluster } from './ready-cluster.ts';

describe('startPostgres on data that an earlier run left', () => {
  let ready: ReadyCluster;
  let dataDirectory: string;

  beforeAll(async () => {
    ready = await createReadyCluster();
  });
  afterAll(() => ready.remove());

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'meridian-broken-'));
  });

  afterEach(() => rm(dataDirectory, { recursive: true }));

  async function startAndStop(): Promise<void> {
    const server = await startPostgres({ dataDirectory, port: 0, settings: { fsync: 'off' } });
    await server.stop();
  }

  it('begins anew when the creation of the cluster was interrupted', async () => {
    await mkdir(join(dataDirectory, 'cluster.unfinished.123', 'base'), { recursive: true });
    await writeFile(join(dataDirectory, 'password'), 'of the interrupted start');
    await startAndStop();
    await expect(readdir(dataDirectory)).resolves.toEqual(['cluster', 'password', 'postgres.log']);
  });

  it('refuses an incomplete cluster', async () => {
    await mkdir(join(dataDirectory, 'cluster'));
    await expect(startAndStop()).rejects.toThrow(
      new PostgresError(
        `PostgreSQL's data directory ${dataDirectory} is incomplete. To start over with new data: pnpm start --fresh`,
      ),
    );
  });

  it('refuses a cluster whose password is lost', async () => {
    await ready.copyTo(dataDirectory);
    await rm(join(dataDirectory, 'password'));
    await expect(startAndStop()).rejects.toThrow('is incomplete');
  });

  it('refuses the cluster of another major version', async () => {
    await ready.copyTo(dataDirectory);
    await writeFile(join(dataDirectory, 'cluster', 'PG_VERSION'), '15\n');
    await expect(startAndStop()).rejects.toThrow(
      /data directory \S+ is of PostgreSQL 15, and this is PostgreSQL \d+\. To start over with new data: pnpm start --fresh$/u,
    );
  });

  it("refuses a damaged cluster with the server's reason", async () => {
    await ready.copyTo(dataDirectory);
    await rename(join(dataDirectory, 'cluster', 'global'), join(dataDirectory, 'cluster', 'elsewhere'));
    await expect(startAndStop()).rejects.toThrow(/^PostgreSQL did not start: .* Its log is .*--fresh$/u);
  });

  it('ignores a pid file that names a process other than a server', async () => {
    await ready.copyTo(dataDirectory);
    await writeFile(join(dataDirectory, 'cluster', 'postmaster.pid'), `${process.pid}\n`);
    await expect(startAndStop()).resolves.toBeUndefined();
    expect(findProcess(process.pid)).toBeDefined();
  });

  it('ignores the claim of a process that has ended, also when its pid is used again', async () => {
    await ready.copyTo(dataDirectory);
    for (const claim of [
      { pid: 2 ** 30, startedAt: 'long ago' },
      { pid: process.pid, startedAt: 'long ago' },
      'what a crash left of it',
    ]) {
      await writeFile(join(dataDirectory, 'claim.json'), JSON.stringify(claim));
      await expect(startAndStop()).resolves.toBeUndefined();
    }
  });
});
