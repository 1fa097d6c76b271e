// `pnpm licences:check`: reads pnpm's list of the licences of all dependencies from standard input; a package under one that
// is neither permissive nor explained in docs/licences.md fails.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { licenceFaults } from './licences/licence-faults.ts';
import { parseLicenceList } from './licences/parse-licence-list.ts';

const packages = parseLicenceList(await text(process.stdin));
const faults = licenceFaults(packages, readFileSync('docs/licences.md', 'utf8'));

for (const fault of faults) {
  console.error(fault);
}
console.log(`licences: ${packages.length} packages, ${faults.length} refused`);
process.exitCode = faults.length === 0 ? 0 : 1;
