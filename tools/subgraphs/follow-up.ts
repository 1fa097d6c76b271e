import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError, tryGit } from '@meridian/settings/command-line';
import { writeSupergraph } from '@meridian/composition/commands/write-supergraph';
import { roverFolder } from '@meridian/composition/rover-folder';

import { goldenFiles, hashOfSources, headOf } from '../charts/golden-files.ts';
import { helmProgram } from '../charts/helm.ts';
import { hasGoProgram } from '../go-program.ts';
import { renderCharts } from '../charts/render-charts.ts';
import type { Registration } from '../apps/registration.ts';

/** The files that follow from the others; the lockfile only from an app that runs here, which is a package. */
export function generatedFiles({ isPackage }: { readonly isPackage: boolean }): string[] {
  return ['supergraph.graphql', 'api-schema.graphql', ...(isPackage ? ['pnpm-lock.yaml'] : [])];
}

/** The outcome of writing them. */
export interface WrittenFiles {
  readonly written: number;
  readonly left: readonly string[];
}

/**
 * Writes the files that follow from the apps: the lockfile, the supergraph, and the rendered charts where helm is.
 *
 * @returns the number of files, and the steps that are left for a machine with other tools
 * @throws {CommandError} when pnpm fails, or the subgraphs do not compose
 */
export async function writeGeneratedFiles({
  isPackage,
}: {
  readonly isPackage: boolean;
}): Promise<WrittenFiles> {
  if (isPackage) {
    install();
  }
  await writeSupergraph({
    config: 'supergraph.yaml',
    output: 'supergraph.graphql',
    check: false,
    offline: true,
    plugins: roverFolder,
    contracts: 'contracts.yaml',
  });
  const written = generatedFiles({ isPackage }).length;
  if (!areChartsStale()) {
    return { written, left: [] };
  }
  if (!hasGoProgram(helmProgram)) {
    return { written, left: ['pnpm charts    renders deploy/helm/golden again; it takes helm or Go'] };
  }
  await renderCharts({ check: false });
  return { written: written + goldenFiles.length, left: [] };
}

/**
 * Installs an app from pnpm's store, and from the registry what the store lacks. Asked first, a registry that does not
 * respond would delay this by a minute.
 */
function install(): void {
  const { status } = spawnSync('pnpm', ['install', '--offline', '--no-frozen-lockfile']);
  if (status !== 0) {
    run('pnpm', 'install', '--prefer-offline', '--no-frozen-lockfile');
  }
}

/** True where a chart has changed since it was rendered. */
function areChartsStale(): boolean {
  const head = headOf(hashOfSources());
  return goldenFiles.some(({ path }) => !readFileSync(path, 'utf8').startsWith(head));
}

/** Formats a new app as `pnpm format` does. */
export function format(folder: string): void {
  run('node_modules/.bin/oxfmt', folder);
}

/** @throws {CommandError} with the program's output, when it fails */
function run(program: string, ...args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) {
    const output = error === undefined ? `${stdout}${stderr}`.trim() : error.message;
    throw new CommandError(`${[program, ...args].join(' ')} failed:\n${output}`);
  }
}

/**
 * The files of a folder that git has, or would take; without git, those outside node_modules. What another branch has left
 * there, such as installed packages, is not among them.
 */
export function filesOf(folder: string): string[] {
  if (!existsSync('.git')) {
    return globSync(`${folder}/**`, { exclude: ['**/node_modules'], withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }
  return linesOfGit(['ls-files', '--cached', '--others', '--exclude-standard', '--', folder]);
}

/** The changes that git has of a folder, in its short form; empty where there is no git. */
export function uncommittedIn(folder: string): string[] {
  if (!existsSync('.git')) {
    return [];
  }
  return linesOfGit(['status', '--porcelain', '--untracked-files=all', '--', folder]);
}

function linesOfGit(args: readonly string[]): string[] {
  return (tryGit(args) ?? '').split('\n').filter((line) => line !== '');
}

/** The files that list apps, with their texts after a change of each list; those that stay as they are are left out. */
export function changedFiles(
  checkout: string,
  registrations: readonly Registration[],
  change: (registration: Registration, text: string) => string,
): ReadonlyMap<string, string> {
  const before = new Map(
    registrations.map(({ file }) => [file, readFileSync(join(checkout, file), 'utf8')] as const),
  );
  const after = new Map(before);
  for (const registration of registrations) {
    after.set(registration.file, change(registration, after.get(registration.file) ?? ''));
  }
  return new Map([...after].filter(([file, text]) => text !== before.get(file)));
}
