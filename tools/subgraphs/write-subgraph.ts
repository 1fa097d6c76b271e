import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { isExternal } from '@meridian/local-stack/apps';
import type { Member } from '@meridian/local-stack/apps';
import { counted } from '@meridian/settings/command-line';

import { registrations } from '../apps/registrations.ts';
import { changedFiles, format, generatedFiles, writeGeneratedFiles } from './follow-up.ts';

/**
 * Writes the files of a new subgraph, adds it to every list of apps, and writes what follows from them. A dry run lists
 * the files instead.
 *
 * @param files by path, relative to the checkout
 * @returns the steps that are left for a machine with other tools; undefined after a dry run
 * @throws {CommandError} when what was written does not install or compose
 */
export async function writeSubgraph(
  member: Member,
  files: ReadonlyMap<string, string>,
  { dryRun }: { readonly dryRun: boolean },
): Promise<readonly string[] | undefined> {
  const startedAt = performance.now();
  const isPackage = !isExternal(member);
  const changed = changedFiles('.', registrations, (registration, text) =>
    registration.takes(member) ? registration.add(text, member) : text,
  );
  if (dryRun) {
    console.log(
      `${listed('creates', files.keys())}${listed('adds to', changed.keys())}${listed('generates', generatedFiles({ isPackage }))}`.trimEnd(),
    );
    return undefined;
  }
  for (const [path, text] of [...files, ...changed]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const { written, left } = await finish(member, { isPackage }).catch((error: unknown) => {
    console.error(
      `apps/${member.name} is written, but not complete. pnpm remove-subgraph ${member.name} --force takes it away`,
    );
    throw error;
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `apps/${member.name}: ${counted(files.size, 'file')}, and ${changed.size + written} others changed, ${seconds} s`,
  );
  return left;
}

async function finish({ name }: Member, options: Parameters<typeof writeGeneratedFiles>[0]) {
  format(`apps/${name}`);
  return await writeGeneratedFiles(options);
}

function listed(title: string, paths: Iterable<string>): string {
  return `${title}\n${[...paths].map((path) => `  ${path}\n`).join('')}`;
}
