// `pnpm verify`: every check of the house but the tests.
import { readArgs, runCommand } from '@meridian/settings/command-line';

import { runScripts } from '../verify/run-scripts.ts';

/** Scripts of package.json, which turbo.json has too. */
const scripts = [
  'types',
  'regexes:check',
  'release:check',
  'structure',
  'lint',
  'compose:check',
  'manifest:check',
  'apps:check',
  'charts:check',
  'licences:check',
  'workflows:check',
  'format:check',
  'prose',
  'rules',
];

const help = `Usage: pnpm verify [--force]

Runs every check of the house but the tests: ${scripts.join(', ')}. A check that
passed on the same files is not run again (turbo.json; release:check always is).

  --force  run all of them
  --help   print this

Exit code: 0 when all pass, 1 when not, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm verify',
  help,
  read: (args) => readArgs(args, { force: { type: 'boolean' } }).flags.force === true,
  // Some take a gigabyte of memory.
  run: (isForced) => runScripts(scripts, ['--concurrency=3', ...(isForced ? ['--force'] : [])]),
});
