import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@meridian/processes';

import { findPostgresBinaries } from '../src/binaries.ts';
import { createCluster, readPassword } from '../src/cluster.ts';
import { dataDirectoryAt, prepareDataDirectory } from '../src/data-directory.ts';
import { findLauncher } from '../src/launcher.ts';
import { startPostmaster } from '../src/postmaster.ts';
import { firstRow } from './connections.ts';

const nobody = { uid: 65_534, gid: 65_534 };

describe('findLauncher', () => {
  it('runs the programs directly for an ordinary user, and knows their version', async () => {
    const { postgres } = findPostgresBinaries();
    const launcher = await findLauncher(postgres, undefined);
    expect(launcher.majorVersion).toBeGreaterThanOrEqual(18);
    expect(launcher.command(postgres, ['--version'])).toEqual({
      program: postgres,
      arguments: ['--version'],
      account: {},
    });
  });

  it('says what to do when the programs do not run', async () => {
    await expect(findLauncher('/nowhere/postgres', undefined)).rejects.toThrow(
      "PostgreSQL's programs do not run on this machine (spawn /nowhere/postgres ENOENT). Install them again with `pnpm rebuild`, or set DATABASE_URL to a server of your own",
    );
  });
});

// Only root can run a program as another user.
(process.getuid?.() === 0 ? describe : describe.skip)('findLauncher for root', () => {
  let checkout: string;
  let postgres: string;
  let initdb: string;

  beforeAll(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'meridian-checkout-'));
    const native = join(dirname(findPostgresBinaries().postgres), '..');
    await cp(native, join(checkout, 'native'), { recursive: true, verbatimSymlinks: true });
    postgres = join(checkout, 'native', 'bin', 'postgres');
    initdb = join(checkout, 'native', 'bin', 'initdb');
  });

  afterAll(() => rm(checkout, { recursive: true }));

  it('PostgreSQL runs from a checkout and on data that only root may read', async () => {
    await closeToOthers(checkout);
    const launcher = await findLauncher(postgres, nobody);
    const directory = dataDirectoryAt(join(checkout, 'data'));
    await prepareDataDirectory(directory, nobody);
    await createCluster(directory, initdb, launcher, { isDurable: false, password: 'of the tests' });
    const port = await findFreePort();
    const server = await startPostmaster(directory, postgres, launcher, {
      settings: { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' },
      isThrowaway: false,
    });
    const password = await readPassword(directory, launcher);
    await expect(
      firstRow(`postgresql://postgres:${password}@127.0.0.1:${port}/postgres`, 'select 1 as one'),
    ).resolves.toEqual({ one: 1 });
    expect((await stat(directory.cluster)).uid).toBe(nobody.uid);
    await server.stop();
  });

  it('findLauncher says what to do when only root may read the checkout and there is no setpriv', async () => {
    await closeToOthers(checkout);
    await expect(launcherWithoutPath(postgres)).resolves.toBe(
      `PostgreSQL does not run as root, and the user 65534 could not run ${postgres} (spawn setpriv ENOENT; spawn ${postgres} EACCES). ` +
        'Start as an ordinary user, or install setpriv (util-linux), or move the checkout to a folder that other users may read',
    );
  });

  it('findLauncher works without setpriv when others may read the checkout', async () => {
    await openToOthers(checkout);
    await expect(launcherWithoutPath(postgres)).resolves.toEqual({
      program: postgres,
      arguments: [],
      account: nobody,
    });
  });
});

/** Takes all rights from group and others, as a umask of 077 does. */
async function closeToOthers(directory: string): Promise<void> {
  await changeModes(directory, (mode) => mode & 0o700);
}

async function openToOthers(directory: string): Promise<void> {
  await changeModes(directory, (mode) => mode | 0o055);
}

async function changeModes(directory: string, change: (mode: number) => number): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map(({ parentPath, name }) => join(parentPath, name));
  await Promise.all(
    [directory, ...paths].map(async (path) => chmod(path, change((await stat(path)).mode & 0o777))),
  );
}

async function launcherWithoutPath(postgres: string): Promise<unknown> {
  const program = fileURLToPath(new URL('print-launcher.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, postgres], {
    env: { PATH: '/nowhere' },
  });
  return JSON.parse(stdout);
}
