// `pnpm prose`: phrases that make a reader stop fail, in comments, messages and documents.
import { readArgs, runCommand } from '@meridian/settings/command-line';

import { checkProse } from '../prose/check-prose.ts';

const help = `Usage: pnpm prose [--in <folder>]…

Reads the comments, messages and documents of the repository, and fails where they
use a phrase that makes a reader stop. docs/glossary.md and tools/prose/phrases.ts
say what to write instead; the latter has the exceptions. Fails too
where a docstring does not say by \`@throws {Type} …\` what its function throws, and
where a declared name has a word that the glossary says not to use
(tools/prose/name-faults.ts).

  --in <folder>  read only this folder
  --help         print this

Exit code: 0 when there is none, 1 when there is one, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm prose',
  help,
  read: (args) => readArgs(args, { in: { type: 'string', multiple: true } }).flags.in,
  run: checkProse,
});
