import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { provisionCitusDatabase } from '@meridian/database';
import { databaseOf } from '@meridian/database/database-of';
import { citusVariable, findCitus, startCitus } from '@meridian/postgres/citus';
import type { RunningCitus } from '@meridian/postgres/citus';
import { claim, isRunning, releaseClaim } from '@meridian/processes';

import { checkout } from '../data-directory.ts';
import { StackError } from '../stack-error.ts';
import type { CitusOptions } from './citus-options.ts';

/**
 * Starts a cluster, creates the services' databases on it, prints how to use them, and runs until SIGINT or SIGTERM.
 *
 * @throws {StackError} when there is no Citus, or the cluster is running already
 */
export async function runCitus(options: CitusOptions): Promise<void> {
  const programs = await findCitus(options.bin);
  if (programs === undefined) {
    throw new StackError(
      `not run: there is no PostgreSQL with Citus ${options.bin === undefined ? 'on this machine' : `in ${options.bin}`}. ` +
        `docs/scale.md says where to get it; --bin or ${citusVariable} names the folder of its programs`,
    );
  }
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const claimed = claimOf(options);
  const holder = await claim(claimed);
  if (holder !== undefined) {
    throw new StackError(`A cluster runs on ${options.directory} already, by process ${holder.pid}`);
  }
  try {
    const { port, workers, directory: dataDirectory } = options;
    const cluster = await startCitus({ programs, port, workers, dataDirectory, onProgress: print });
    // Node ends a process that only waits for a signal.
    const alive = setInterval(() => {}, 60_000);
    try {
      await describeDatabases(cluster, await openPassword(join(dataDirectory, 'service-password')));
      print('\nCtrl-C, or pnpm citus stop, ends the cluster. Its data stay.');
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    } finally {
      clearInterval(alive);
      await cluster.stop();
    }
  } finally {
    await releaseClaim(claimed);
  }
}

/** Ends the cluster of a folder, if one is running. */
export async function stopCitus(options: Pick<CitusOptions, 'directory'>): Promise<void> {
  const claimed = claimOf(options);
  const holder = await claim(claimed).catch(() => undefined);
  if (holder === undefined) {
    await releaseClaim(claimed);
    print(`No cluster runs on ${options.directory}`);
    return;
  }
  process.kill(holder.pid, 'SIGTERM');
  while (isRunning(holder)) {
    await delay(50);
  }
  print('Stopped');
}

const claimOf = ({ directory }: Pick<CitusOptions, 'directory'>): string => join(directory, 'claim.json');

/** Creates the databases of the apps that can be distributed, on every node, and prints how to fill them. */
async function describeDatabases(cluster: RunningCitus, servicePassword: string): Promise<void> {
  const apps = globSync('apps/*/distribution.json', { cwd: checkout }).map((file) => dirname(file).slice(5));
  for (const app of apps.toSorted()) {
    const { ownerUrl, serviceUrl } = await provisionCitusDatabase({
      coordinatorUrl: cluster.coordinator.url,
      workerUrls: cluster.workers.map(({ url }) => url),
      database: databaseOf(app),
      serviceRole: databaseOf(app),
      servicePassword,
    });
    print(`\n${app}`);
    print(`  migrate  DATABASE_URL='${ownerUrl}' pnpm migrate ${app} --distribute`);
    print(`  service  DATABASE_URL='${serviceUrl}'`);
  }
}

async function openPassword(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) {
    return kept.trim();
  }
  const password = randomBytes(24).toString('base64url');
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  return password;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
