import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { isExternal, readMembers } from '@meridian/local-stack/apps';
import type { Member } from '@meridian/local-stack/apps';
import { CommandError, UsageError, counted } from '@meridian/settings/command-line';
import { readGraphTypes } from '@meridian/composition/graph-types';
import { databaseOf } from '@meridian/database/database-of';

import { registrations } from '../apps/registrations.ts';
import { compositionErrors } from './composition-errors.ts';
import { changedFiles, generatedFiles, uncommittedIn, writeGeneratedFiles } from './follow-up.ts';
import { lossesWithout } from './losses-without.ts';

/** A call of `pnpm remove-subgraph`. */
export interface RemoveOptions {
  readonly name: string;
  /** True to remove it whatever depends on it, and with changes that git does not have. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

/**
 * Removes a subgraph from this checkout, and from every list of apps.
 *
 * @throws {UsageError} for an app that is not a subgraph
 * @throws {CommandError} when something depends on it, or would be lost; on a dry run, after the list of files
 */
export async function removeSubgraph({ name, force, dryRun }: RemoveOptions): Promise<void> {
  const startedAt = performance.now();
  const members = readMembers('.');
  const subgraphs = members.filter(({ kind }) => kind === 'subgraph' || kind === 'external');
  const leaving = subgraphs.find((member) => member.name === name);
  if (leaving === undefined) {
    throw new UsageError(
      `There is no subgraph ${name}; the subgraphs are ${subgraphs.map((app) => app.name).join(', ')}`,
    );
  }
  const isPackage = !isExternal(leaving);
  const reasons = force
    ? []
    : [
        ...dependents(name, members),
        ...compositionErrors(subgraphs.filter((member) => member !== leaving)).map(
          (error) => `without it, the others do not compose: ${error}`,
        ),
        ...changesOf(name),
      ];
  /** The lists that it cannot be taken out of; `force` does not help. */
  const obstacles: string[] = [];
  const changed = changedFiles('.', registrations, (registration, text) => {
    try {
      return registration.namesIn(text).includes(name) ? registration.remove(text, name) : text;
    } catch (error) {
      obstacles.push(`${registration.file}: ${error instanceof Error ? error.message : String(error)}`);
      return text;
    }
  });
  if (dryRun) {
    console.log(
      [
        'removes',
        `  apps/${name}`,
        'takes it out of',
        ...[...changed.keys(), ...generatedFiles({ isPackage })].map((file) => `  ${file}`),
      ].join('\n'),
    );
  }
  if (reasons.length + obstacles.length > 0) {
    throw new CommandError(
      [
        `${name} ${dryRun ? 'would not be' : 'is not'} removed:`,
        ...[...reasons, ...obstacles].map((reason) => `  ${reason}`),
        ...(obstacles.length === 0 ? ['--force removes it all the same'] : []),
      ].join('\n'),
    );
  }
  if (dryRun) {
    return;
  }
  rmSync(`apps/${name}`, { recursive: true });
  for (const [path, text] of changed) {
    writeFileSync(path, text);
  }
  const { left } = await writeGeneratedFiles({ isPackage });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`apps/${name} is removed, and ${changed.size} lists are without it, ${seconds} s. Next:`);
  const steps = [
    'pnpm check    names the operations that used it',
    ...left,
    'pnpm verify   before you push',
    ...(!isExternal(leaving) && leaving.hasDatabase
      ? [
          `the database ${databaseOf(name)} stays where it is: drop it when nothing needs its rows. If you create another ${name}, pnpm start --reset ${name} empties the local one`,
        ]
      : []),
  ];
  console.log(steps.map((step) => `  ${step}`).join('\n'));
}

/** The subgraphs that have a type which only this one has the data of, and the apps that call it. */
function dependents(name: string, members: readonly Member[]): string[] {
  const callers = members
    .filter((app) => !isExternal(app) && app.kind !== 'gateway' && app.calls.includes(name))
    .map((app) => `${app.name} calls it: apps/${app.name}/app.yaml`);
  const losses = lossesWithout(name, readGraphTypes(readFileSync('supergraph.graphql', 'utf8')));
  return [
    ...callers,
    ...losses.map(({ type, fields, subgraph, isExtended }) => {
      const [verb, lost] = isExtended
        ? ['extends', `, which would have no ${fields.join(', ')}`]
        : ['refers to', ''];
      return `${subgraph} ${verb} its type ${type}${lost}: ${placeOf(subgraph, type)}`;
    }),
  ];
}

/** The file and line of a type in a subgraph's schema. */
function placeOf(subgraph: string, type: string): string {
  const path = `apps/${subgraph}/schema.graphql`;
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const index = lines.findIndex(
    (line) => line.startsWith(`type ${type} `) || line.startsWith(`extend type ${type} `),
  );
  return index === -1 ? path : `${path}:${index + 1}`;
}

function changesOf(name: string): string[] {
  const changes = uncommittedIn(`apps/${name}`);
  const shown = changes.slice(0, 3).map((line) => line.slice(3));
  return changes.length === 0
    ? []
    : [
        `git does not have ${counted(changes.length, 'changed file')} of it: ${shown.join(', ')}${changes.length > shown.length ? ' …' : ''}`,
      ];
}
