import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { CommandError } from '@meridian/settings/command-line';

import { appFile, appNamePattern, appNameTakes, isExternal } from './app-definition.ts';
import type { App, Member } from './app-definition.ts';
import { parseAppFile } from './parse-app-file.ts';
import type { AppFile, ExternalFile } from './parse-app-file.ts';

/** Files of apps that cannot be read, or do not fit together: a line for each fault. */
export class AppFileError extends CommandError {
  override readonly name = 'AppFileError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

interface Found<File> {
  readonly name: string;
  readonly path: string;
  readonly file: File;
  readonly lineOf: (key: string) => number;
}

/**
 * Reads the apps that run here: the gateway first, then by port.
 *
 * @param checkout the folder that has apps/
 * @throws {AppFileError} with all faults of all files
 */
export function readApps(checkout: string): App[] {
  return readMembers(checkout).filter((member) => !isExternal(member));
}

/**
 * Reads the apps that run here, in that order, and then the subgraphs that run elsewhere, by name.
 *
 * @param checkout the folder that has apps/
 * @throws {AppFileError} with all faults of all files
 */
export function readMembers(checkout: string): Member[] {
  const faults: string[] = [];
  const found: Found<AppFile>[] = [];
  const external: Found<ExternalFile>[] = [];
  for (const path of globSync(`apps/*/${appFile}`, { cwd: checkout }).toSorted()) {
    const name = basename(dirname(path));
    if (!appNamePattern.test(name)) {
      faults.push(`${path}:1 the app's name is ${name}; it takes ${appNameTakes}`);
    }
    const parsed = parseAppFile(path, readFileSync(join(checkout, path), 'utf8'));
    if ('faults' in parsed) {
      faults.push(...parsed.faults);
      continue;
    }
    const { file, lineOf } = parsed;
    if (file.kind === 'external') {
      external.push({ name, path, file, lineOf });
    } else {
      found.push({ name, path, file, lineOf });
    }
  }
  faults.push(...portFaults(found), ...callFaults(found));
  if (faults.length > 0) {
    throw new AppFileError(faults);
  }
  const ordered = found.toSorted((one, other) => rankOf(one) - rankOf(other));
  const subgraphs = ordered.filter(({ file }) => file.kind === 'subgraph').map(({ name }) => name);
  const apps = ordered.map(({ name, file }) =>
    Object.assign(file, {
      name,
      calls: file.kind === 'gateway' ? subgraphs : file.calls,
      hasDatabase: existsSync(join(checkout, 'apps', name, 'migrations')),
      hasDemoData: existsSync(join(checkout, 'apps', name, 'src/seed.ts')),
    }),
  );
  return [...apps, ...external.map(({ name, file }) => Object.assign(file, { name }))];
}

function rankOf({ file }: Found<AppFile>): number {
  return file.kind === 'gateway' ? 0 : file.port;
}

/** All apps run on one machine in development, so no two have the same port. */
function portFaults(found: readonly Found<AppFile>[]): string[] {
  const holders = new Map<number, string>();
  const faults: string[] = [];
  for (const { name, path, file, lineOf } of found) {
    for (const [key, port] of [['port', file.port] as const, ['admin_port', file.adminPort] as const]) {
      const holder = holders.get(port);
      if (holder === undefined) {
        holders.set(port, `the ${key} of ${name}`);
      } else {
        faults.push(`${path}:${lineOf(key)} ${key} is ${port}, which is ${holder}`);
      }
    }
  }
  return faults;
}

function callFaults(found: readonly Found<AppFile>[]): string[] {
  const subgraphs = found.filter(({ file }) => file.kind === 'subgraph').map(({ name }) => name);
  return found.flatMap(({ name, path, file, lineOf }) =>
    file.calls
      .filter((called) => called === name || !subgraphs.includes(called))
      .map(
        (called) =>
          `${path}:${lineOf('calls')} calls has ${called}; ${name} may call ${subgraphs.filter((other) => other !== name).join(', ')}`,
      ),
  );
}
