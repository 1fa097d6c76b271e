// The program that the tests of launchers run without a PATH: prints how the program of its first argument would be run
// as the user `nobody`, or why it cannot.
import process from 'node:process';

import { findLauncher } from '../src/launcher.ts';
import { PostgresError } from '../src/postgres-error.ts';

const [postgres = ''] = process.argv.slice(2);
try {
  const launcher = await findLauncher(postgres, { uid: 65_534, gid: 65_534 });
  process.stdout.write(JSON.stringify(launcher.command(postgres, [])));
} catch (error) {
  if (!(error instanceof PostgresError)) {
    throw error;
  }
  process.stdout.write(JSON.stringify(error.message));
}
