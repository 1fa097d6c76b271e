import type { LicensedPackage } from './parse-licence-list.ts';

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
