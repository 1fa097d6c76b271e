import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { allowed } from './allowed.ts';
import { proseFaults } from './prose-faults.ts';
import { throwsFaults } from './throws-faults.ts';

/** Written by programs; never changed once released; or full of the phrases on purpose. */
const unread =
  /^(?:pnpm-lock\.yaml|supergraph\.graphql|api-schema\.graphql|apps\/\w+\/migrations\/.*|tools\/(?:test\/)?prose\/.*)$/u;

const read = /\.(?:[cm]?[jt]sx?|md|ya?ml|sql|graphql|sh)$|(?:^|\/)Dockerfile[^/]*$|^\.ci\//u;

/** The files whose docstrings say what functions throw. */
const documented = /^(?!.*\/test\/).*\.tsx?$/u;

/** Refuses phrases that make a reader stop, and what a function throws in any style but `@throws`. */
export function checkProse(): void {
  const paths = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    { encoding: 'utf8' },
  )
    .split('\n')
    .filter((path) => read.test(path) && !unread.test(path) && existsSync(path));
  const faults = paths.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return [...proseFaults(path, text, allowed), ...(documented.test(path) ? throwsFaults(path, text) : [])];
  });
  for (const { path, line, phrase, instead } of faults) {
    console.error(`${path}:${line}: "${phrase}": write ${instead}`);
  }
  console.log(`prose: ${paths.length} files, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
