import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { reportFaults } from '../report-faults.ts';
import { licenceFaults } from './licence-faults.ts';
import { parseLicenceList } from './parse-licence-list.ts';

/** Refuses a dependency under a licence that is neither permissive nor explained in docs/licences.md. */
export async function checkLicences(): Promise<void> {
  const packages = parseLicenceList(await listOfPnpm());
  const faults = licenceFaults(packages, readFileSync('docs/licences.md', 'utf8'));
  reportFaults(faults, `licences: ${packages.length} packages, ${faults.length} refused`);
}

/** The licences of all dependencies, as JSON. */
async function listOfPnpm(): Promise<string> {
  const words = ['--recursive', 'licenses', 'list', '--json'];
  const { stdout } = await promisify(execFile)('pnpm', words, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
