import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { runGit } from '@meridian/settings/command-line';

import { nameFaults } from './name-faults.ts';
import { allowed } from './phrases.ts';
import { proseFaults } from './prose-faults.ts';
import { faultAt, proseFile } from './prose-file.ts';
import { throwsFaults } from './throws-faults.ts';
import type { ProseFault, ProseFile } from './prose-file.ts';

/** Written by programs; never changed once released; or full of the phrases on purpose. */
const unread =
  /^(?:pnpm-lock\.yaml|supergraph\.graphql|api-schema\.graphql|apps\/\w+\/migrations\/.*|tools\/(?:test\/)?prose\/.*)$/u;

const read = /\.(?:[cm]?[jt]sx?|md|ya?ml|sql|graphql|sh)$|(?:^|\/)Dockerfile[^/]*$|^\.ci\//u;

/**
 * Refuses phrases that make a reader stop, what a function throws in any style but `@throws`, error
 * classes without a name, and names with words that
 * docs/glossary.md says not to use. Default: in all folders.
 */
export function checkProse(folders: readonly string[] = []): void {
  const flags = ['--cached', '--others', '--exclude-standard', '--deduplicate'];
  const paths = runGit(['ls-files', ...flags, '--', ...folders])
    .split('\n')
    .filter((path) => read.test(path) && !unread.test(path) && existsSync(path));
  const files = paths.map((path) => proseFile(path, readFileSync(path, 'utf8')));
  const faults = files.flatMap((file) =>
    proseFaults(file, allowed).concat(throwsFaults(file), errorNameFaults(file), nameFaults(file)),
  );
  for (const { path, line, phrase, instead } of faults) {
    console.error(`${path}:${line}: "${phrase}": write ${instead}`);
  }
  console.log(`prose: ${paths.length} files, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** A class of errors without the field, and the name set in a constructor. */
const otherwise =
  /\bclass (?<name>\w+) extends \w*Error \{(?!\s*override readonly name(?:: string)? = '\k<name>';)|\bthis\.name = '/gu;

/** The error classes of one file that are named in another way. */
export function errorNameFaults(file: ProseFile): ProseFault[] {
  const instead = "`override readonly name = '…';` as the first member of the class";
  return Array.from(file.source.matchAll(otherwise), ({ index, 0: phrase }) =>
    faultAt(file, index, phrase, instead),
  );
}
