// `pnpm prose`: phrases that make a reader stop fail, in comments, messages and documents.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { readArgs, runCommand } from '@meridian/command-line';

import { allowed } from './prose/allowed.ts';
import { lower, newFaults } from './prose/areas.ts';
import type { Remaining } from './prose/areas.ts';
import { proseFaults } from './prose/prose-faults.ts';

const remainingPath = 'tools/prose/remaining.json';

const help = `Usage: pnpm prose [--all] [--update]

Reads the comments, messages and documents of the repository, and fails where they
use a phrase that makes a reader stop: docs/glossary.md and tools/prose/phrases.ts
say what to write instead. ${remainingPath} counts, for each app and package, the
phrases that are still to be rewritten; a count may only fall.

  --all     list those that are still to be rewritten too
  --update  write the counts down, where they fell
  --help    print this

Exit code: 0 when no count rose, 1 when one did, 2 for a wrong call.`;

/** Written by programs; never changed once released; or full of the phrases on purpose. */
const unread =
  /^(?:pnpm-lock\.yaml|supergraph\.graphql|api-schema\.graphql|apps\/\w+\/migrations\/.*|tools\/(?:test\/)?prose\/.*)$/u;

const read = /\.(?:[cm]?[jt]sx?|md|ya?ml|sql|graphql|sh)$|(?:^|\/)Dockerfile[^/]*$|^\.ci\//u;

interface Options {
  readonly all: boolean;
  readonly update: boolean;
}

await runCommand({
  name: 'pnpm prose',
  help,
  read: (words): Options => {
    const { flags } = readArgs(words, { all: { type: 'boolean' }, update: { type: 'boolean' } });
    return { all: flags.all === true, update: flags.update === true };
  },
  run: checkProse,
});

function checkProse({ all, update }: Options): void {
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
