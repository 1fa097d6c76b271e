// `pnpm migrate <app>`: brings an app's database up to date. DATABASE_URL is that database, as its owner.
import { existsSync, globSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { UsageError, CommandError, counted, readArgs, runCommand } from '@meridian/command-line';
import { EnvironmentError, readEnvironment, url, variable } from '@meridian/config';

import { migrateDatabase } from './migrate-database.ts';
import { MigrationError } from './migration-error.ts';

const apps = new URL('../../../apps/', import.meta.url);

const help = `Usage: pnpm migrate <app>

Brings the database of an app up to date: runs the files of apps/<app>/migrations that
have not run there.

  <app>   ${appsWithMigrations().join(', ')}
  --help  print this

DATABASE_URL  that database, as its owner

Exit code: 0 when the database is up to date, 1 when not, 2 for a wrong call.
`;

await runCommand({
  name: 'pnpm migrate',
  help,
  read(args) {
    const [app = ''] = readArgs(args, {}, ['<app>']).others;
    if (!/^[a-z-]+$/u.test(app) || !existsSync(migrationsOf(app))) {
      throw new UsageError(`<app> is ${JSON.stringify(app)}; it takes ${appsWithMigrations().join(', ')}`);
    }
    return app;
  },
  run: migrate,
  lineFor: (error) =>
    error instanceof EnvironmentError || error instanceof MigrationError ? error.message : undefined,
});

async function migrate(app: string): Promise<void> {
  const { DATABASE_URL } = readEnvironment(process.env, {
    DATABASE_URL: variable(url(['postgres', 'postgresql']), { secret: true }),
  });
  const names = await migrateDatabase({
    ownerUrl: DATABASE_URL,
    directory: migrationsOf(app),
    serviceRole: `meridian_${app}`,
    onMigration: (name) => process.stdout.write(`${name}\n`),
  }).catch((error: unknown) => {
    throw isOfServer(error) ? new CommandError(reasonOf(app, error), { cause: error }) : error;
  });
  process.stdout.write(
    names.length === 0 ? 'The database is up to date\n' : `Ran ${counted(names.length, 'migration')}\n`,
  );
}

/** The server's own errors and the system's have codes; what has none is a bug. */
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
