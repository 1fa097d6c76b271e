// `pnpm licences:check`: a dependency under a licence that is neither permissive nor explained in docs/licences.md fails.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { promisify } from 'node:util';

import { readArgs, runCommand } from '@meridian/command-line';

import { licenceFaults } from './licences/licence-faults.ts';
import { parseLicenceList } from './licences/parse-licence-list.ts';

const help = `Usage: pnpm licences:check

Fails when a dependency is under a licence that is neither permissive nor explained
in docs/licences.md.

  --help  print this

Exit code: 0 when all may be used, 1 when not, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm licences:check',
  help,
  read: (words) => readArgs(words, {}),
  run: checkLicences,
});

async function checkLicences(): Promise<void> {
  const packages = parseLicenceList(await listOfPnpm());
  const faults = licenceFaults(packages, readFileSync('docs/licences.md', 'utf8'));
  for (const fault of faults) {
    console.error(fault);
  }
  console.log(`licences: ${packages.length} packages, ${faults.length} refused`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** The licences of all dependencies, as JSON. */
async function listOfPnpm(): Promise<string> {
  const words = ['--recursive', 'licenses', 'list', '--json'];
  const { stdout } = await promisify(execFile)('pnpm', words, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
