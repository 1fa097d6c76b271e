import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** A package from npm whose code is inside a published one. */
export interface InlinedPackage {
  readonly name: string;
  readonly version: string;
  /** As SPDX has it. */
  readonly licence: string;
  /** Where it is installed. */
  readonly folder: string;
}

/** The packages from npm that modules belong to, in the order of their names. */
export function inlinedPackages(modules: readonly string[]): readonly InlinedPackage[] {
  const folders = new Set(
    modules.filter((path) => path.includes(`${sep}node_modules${sep}`)).map(packageFolder),
  );
  return [...folders].map(readInlined).toSorted((one, other) => one.name.localeCompare(other.name));
}

/** The notice that a package with others inside carries: the licence of each, in full. */
export function thirdPartyLicences(packages: readonly InlinedPackage[]): string {
  const notices = packages.map(
    ({ name, version, licence, folder }) => `${name} ${version} (${licence})\n\n${licenceText(folder)}`,
  );
  return `This package contains code of the packages below.\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The nearest folder with a package.json that names a package; some have further ones for their formats. */
function packageFolder(module: string): string {
  let folder = dirname(module.replace(/^\0|\?.*$/gu, ''));
  while (!isPackage(folder)) {
    folder = dirname(folder);
  }
  return folder;
}

function isPackage(folder: string): boolean {
  const file = join(folder, 'package.json');
  return existsSync(file) && 'version' in JSON.parse(readFileSync(file, 'utf8'));
}

function readInlined(folder: string): InlinedPackage {
  const { name, version, license }: { name: string; version: string; license: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return { name, version, licence: license, folder };
}

function licenceText(folder: string): string {
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|-|$)/iu.test(entry));
  return file === undefined
    ? 'The package has no licence file.'
    : readFileSync(join(folder, file), 'utf8').trim();
}
