// `pnpm prose`: phrases that make a reader stop fail, in comments, messages and documents.
import { readArgs, runCommand } from '@meridian/command-line';

import { checkProse, remainingPath } from '../prose/check-prose.ts';

const help = `Usage: pnpm prose [--all] [--update]

Reads the comments, messages and documents of the repository, and fails where they
use a phrase that makes a reader stop: docs/glossary.md and tools/prose/phrases.ts
say what to write instead. ${remainingPath} counts, for each app and package, the
phrases that are still to be rewritten; a count may only fall.

  --all     list those that are still to be rewritten too
  --update  write the counts down, where they fell
  --help    print this

Exit code: 0 when no count rose, 1 when one did, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm prose',
  help,
  read: (args) =>
    readArgs(args, {
      all: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
    }).flags,
  run: checkProse,
});
