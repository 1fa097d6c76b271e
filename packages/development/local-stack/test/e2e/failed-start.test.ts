import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { startStack } from './stack-under-test.ts';
import { processesIn } from '@meridian/testing';

describe('pnpm start exits 1 with one line', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-failed-start-'));
  });

  afterEach(async () => {
    expect(processesIn(folder)).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  });

  /** The output of a failing start after its progress. */
  async function failure(
    ...args: [dataRoot: string, options?: Parameters<typeof startStack>[2]]
  ): Promise<string | undefined> {
    const stack = startStack('program', ...args);
    await expect(stack.ended).resolves.toBe(1);
    return (await stack.allOutput()).trimEnd().split('\n').at(-1);
  }

  it('when a port is taken, with its holder and the remedy', async () => {
    const { server, port } = await occupy();
    const flags = ['--port-offset', String(port - 4001)];
    await expect(failure(folder, { flags })).resolves.toMatch(
      new RegExp(
        `^Port ${port}, which accounts needs, is taken by process ${process.pid} \\(.*\\)\\. Stop it \\(kill ${process.pid}\\), or use other ports: pnpm start --port-offset ${port - 4001 + 100}, or --free-ports$`,
        'u',
      ),
    );
    server.close();
  });

  it('when its data folder is a file', async () => {
    const file = join(folder, 'data');
    await writeFile(file, '');
    await expect(failure(file)).resolves.toMatch(/^\S+ cannot be used \(EEXIST: .*\)\. Remove it/u);
  });

  it('when the data of PostgreSQL is broken', async () => {
    await mkdir(join(folder, 'postgres', 'cluster'), { recursive: true });
    await expect(failure(folder)).resolves.toMatch(/pnpm start --fresh/u);
  });

  it('when nothing answers at DATABASE_URL', async () => {
    await expect(
      failure(folder, { env: { DATABASE_URL: 'postgresql://postgres:secret@127.0.0.1:1/postgres' } }),
    ).resolves.toMatch(/^The database meridian_\w+ cannot be prepared: .*ECONNREFUSED.*DATABASE_URL names$/u);
  });
});

/** Listens where the accounts service would with some offset, below the ports that the system hands out. */
async function occupy(): Promise<{ server: Server; port: number }> {
  for (let port = 14_001; ; port += 100) {
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return { server, port };
    } catch {
      // Somebody else listens there.
    }
  }
}
