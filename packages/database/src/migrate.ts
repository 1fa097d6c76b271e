// `pnpm migrate <app>`: brings an app's database up to date. DATABASE_URL is that database, as its owner.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { exitOnBadEnvironment, readEnvironment, url } from '@meridian/config';

import { migrateDatabase } from './migrate-database.ts';
import { MigrationError } from './migration-error.ts';

const usage = 'Usage: pnpm migrate <app>, where apps/<app>/migrations is a folder';

const [app = ''] = process.argv.slice(2);
if (app === '--help') {
  process.stdout.write(`${usage}\n\nDATABASE_URL names the app's database, as its owner\n`);
  process.exit(0);
}
const directory = new URL(`../../../apps/${app}/migrations/`, import.meta.url);
if (!/^[a-z-]+$/u.test(app) || !existsSync(directory)) {
  endWith(app === '' ? usage : `${usage}; "${app}" has none`);
}

const environment = exitOnBadEnvironment(() =>
  readEnvironment(process.env, { DATABASE_URL: url(['postgres', 'postgresql'], { secret: true }) }),
);

try {
  const names = await migrateDatabase({
    ownerUrl: environment.DATABASE_URL,
    directory,
    serviceRole: `meridian_${app}`,
    onMigration: (name) => process.stdout.write(`${name}\n`),
  });
  process.stdout.write(
    names.length === 0 ? 'The database is up to date\n' : `Ran ${names.length} migrations\n`,
  );
} catch (error) {
  if (error instanceof MigrationError) {
    endWith(error.message);
  }
  // The server's own errors and the system's have codes; what has none is a bug and shows its stack.
  if (error instanceof Error && 'code' in error) {
    endWith(
      `Cannot migrate the database of ${app}: ${error.message === '' ? String(error.code) : error.message}`,
    );
  }
  throw error;
}

function endWith(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
