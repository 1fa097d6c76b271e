import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { isRecord } from '@meridian/settings/values';

import { reportFaults } from '../report-faults.ts';

/** Refuses a dependency under a licence that is neither permissive nor explained in docs/licences.md. */
export async function checkLicences(): Promise<void> {
  const words = ['--recursive', 'licenses', 'list', '--json'];
  const { stdout } = await promisify(execFile)('pnpm', words, { maxBuffer: 64 * 1024 * 1024 });
  const packages = parseLicenceList(stdout);
  const faults = licenceFaults(packages, readFileSync('docs/licences.md', 'utf8'));
  reportFaults(faults, `licences: ${packages.length} packages, ${faults.length} refused`);
}

/** A dependency and the SPDX expression of its licence. */
export interface LicensedPackage {
  readonly name: string;
  readonly licence: string;
}

/**
 * Reads what `pnpm licenses list --json` prints: licence → packages.
 *
 * @throws {Error} when it is anything else, an empty list included: a failing pnpm must not look like a clean one
 */
export function parseLicenceList(json: string): LicensedPackage[] {
  const list: unknown = JSON.parse(json);
  const packages = Object.entries(Object(list)).flatMap(([licence, members]) =>
    Array.isArray(members) ? members.map((member: unknown) => ({ name: nameOf(member), licence })) : [],
  );
  if (packages.length === 0) {
    throw new Error('Cannot parse the list of licences: it has no packages');
  }
  return packages;
}

function nameOf(member: unknown): string {
  if (isRecord(member) && typeof member['name'] === 'string') {
    return member['name'];
  }
  throw new Error('Cannot parse the list of licences: a package has no name');
}

/** SPDX identifiers that ask for no more than a notice. CC-BY-4.0 is here for data (caniuse-lite). */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
]);

/**
 * One sentence for each package that may not be used: its licence is not permissive, and `explanations`
 * (docs/licences.md) does not name it in backquotes. Every licence of an expression must pass, also where one of
 * several would do.
 */
export function licenceFaults(packages: readonly LicensedPackage[], explanations: string): string[] {
  return packages
    .filter(({ name, licence }) => !isPermissive(licence) && !explanations.includes(`\`${name}\``))
    .map(
      ({ name, licence }) =>
        `${name} is under ${licence}: not permissive, and docs/licences.md does not name it`,
    );
}

function isPermissive(expression: string): boolean {
  const identifiers = expression.split(/[\s()]+|\b(?:AND|OR)\b/u).filter((part) => part !== '');
  return identifiers.length > 0 && identifiers.every((identifier) => permissive.has(identifier));
}
