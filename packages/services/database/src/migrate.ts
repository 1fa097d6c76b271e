// `pnpm migrate <app>`: brings an app's database up to date, and spreads it over a Citus cluster. DATABASE_URL is that
// database, as its owner.
import { existsSync, globSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import {
  UsageError,
  CommandError,
  counted,
  flagValue,
  integer,
  readArgs,
  runCommand,
} from '@meridian/settings/command-line';
import { EnvironmentError, readEnvironment, url, variable } from '@meridian/settings/environment';

import { checkCoordinator, distributeDatabase } from './citus/distribute-database.ts';
import { readDistribution } from './citus/distribution.ts';
import type { Distribution } from './citus/distribution.ts';
import { databaseOf } from './database-of.ts';
import { migrateDatabase } from './migration/migrate-database.ts';
import { MigrationError } from './migration/migration-error.ts';

const apps = new URL('../../../../apps/', import.meta.url);

const help = `Usage: pnpm migrate <app> [--distribute [--shards <n>]]

Brings the database of an app up to date: runs the files of apps/<app>/migrations that
have not run there.

  <app>         ${appsWithMigrations().join(', ')}
  --distribute  then spreads it over the workers of its Citus cluster, as
                apps/<app>/distribution.json declares; leaves out what is done already
  --shards <n>  of each table that is not distributed yet; 32 by default
  --help        print this

DATABASE_URL  that database, as its owner; with --distribute the coordinator's

Exit code: 0 when the database is up to date, 1 when not, 2 for a wrong call.
`;

await runCommand({
  name: 'pnpm migrate',
  help,
  read(args) {
    const { flags, others } = readArgs(
      args,
      { distribute: { type: 'boolean', default: false }, shards: { type: 'string' } },
      ['<app>'],
    );
    const [app = ''] = others;
    if (!/^[a-z-]+$/u.test(app) || !existsSync(migrationsOf(app))) {
      throw new UsageError(`<app> is ${JSON.stringify(app)}; it takes ${appsWithMigrations().join(', ')}`);
    }
    if (flags.shards !== undefined && !flags.distribute) {
      throw new UsageError('--shards goes with --distribute');
    }
    const shardCount =
      flags.shards === undefined
        ? undefined
        : flagValue('--shards', flags.shards, integer({ minimum: 1, maximum: 64_000 }));
    return { app, isDistributed: flags.distribute, shardCount };
  },
  run: migrate,
  lineFor: (error) =>
    error instanceof EnvironmentError || error instanceof MigrationError ? error.message : undefined,
});

interface Options {
  readonly app: string;
  readonly isDistributed: boolean;
  readonly shardCount: number | undefined;
}

async function migrate({ app, isDistributed, shardCount }: Options): Promise<void> {
  const { DATABASE_URL: ownerUrl } = readEnvironment(process.env, {
    DATABASE_URL: variable(url(['postgres', 'postgresql']), { secret: true }),
  });
  const serviceRole = databaseOf(app);
  const distribution = isDistributed ? await distributionOf(app) : undefined;
  try {
    if (distribution !== undefined) {
      await checkCoordinator({ ownerUrl, serviceRole });
    }
    const names = await migrateDatabase({
      ownerUrl,
      directory: migrationsOf(app),
      serviceRole,
      onMigration: print,
      onLocked: () => print('Another transaction holds a lock that this needs; trying again in 2 s'),
    });
    print(names.length === 0 ? 'The database is up to date' : `Ran ${counted(names.length, 'migration')}`);
    if (distribution !== undefined) {
      const steps = await distributeDatabase({
        ownerUrl,
        distribution,
        serviceRole,
        shardCount,
        onStep: print,
      });
      print(steps.length === 0 ? 'It is distributed as declared' : 'It is distributed');
    }
  } catch (error) {
    throw isOfServer(error) ? new CommandError(reasonOf(app, error), { cause: error }) : error;
  }
}

async function distributionOf(app: string): Promise<Distribution> {
  const distribution = await readDistribution(new URL(`${app}/distribution.json`, apps));
  if (distribution === undefined) {
    throw new CommandError(
      `${app} has no distribution.json: its tables are of no tenant, and stay on one server`,
    );
  }
  return distribution;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Errors of the server and of the system have codes; any other error is a bug. */
function isOfServer(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error;
}

function reasonOf(app: string, { message, code }: Error & { readonly code: unknown }): string {
  return `Cannot migrate the database of ${app}: ${message === '' ? String(code) : message}`;
}

function migrationsOf(app: string): URL {
  return new URL(`${app}/migrations/`, apps);
}

function appsWithMigrations(): string[] {
  return globSync('*/migrations', { cwd: fileURLToPath(apps) })
    .map((path) => dirname(path))
    .toSorted();
}
