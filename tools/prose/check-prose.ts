import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { allowed } from './allowed.ts';
import { lower, newFaults } from './areas.ts';
import type { Remaining } from './areas.ts';
import { proseFaults } from './prose-faults.ts';

/** The counts of phrases that are still to be rewritten. */
export const remainingPath = 'tools/prose/remaining.json';

/** Written by programs; never changed once released; or full of the phrases on purpose. */
const unread =
  /^(?:pnpm-lock\.yaml|supergraph\.graphql|api-schema\.graphql|apps\/\w+\/migrations\/.*|tools\/(?:test\/)?prose\/.*)$/u;

const read = /\.(?:[cm]?[jt]sx?|md|ya?ml|sql|graphql|sh)$|(?:^|\/)Dockerfile[^/]*$|^\.ci\//u;

/** The flags of `pnpm prose`. */
export interface ProseOptions {
  readonly all: boolean;
  readonly update: boolean;
}

/** Refuses phrases that make a reader stop, where an area has more of them than before. */
export function checkProse({ all, update }: ProseOptions): void {
  const paths = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    {
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((path) => read.test(path) && !unread.test(path) && existsSync(path));
  const faults = paths.flatMap((path) => proseFaults(path, readFileSync(path, 'utf8'), allowed));
  const remaining: Remaining = JSON.parse(readFileSync(remainingPath, 'utf8'));
  const refused = newFaults(faults, remaining);
  for (const { path, line, phrase, instead } of all ? faults : refused) {
    console.error(`${path}:${line}: "${phrase}": write ${instead}`);
  }
  if (update) {
    writeFileSync(remainingPath, `${JSON.stringify(lower(faults, remaining), null, 2)}\n`);
  }
  console.log(
    `prose: ${paths.length} files, ${faults.length} phrases, ${refused.length} in areas whose count rose`,
  );
  process.exitCode = refused.length === 0 ? 0 : 1;
}
