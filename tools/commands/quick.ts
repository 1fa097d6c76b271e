// `pnpm quick`: the checks that take seconds, of what changed since the main branch.
import { noFlags, runCommand } from '@meridian/settings/command-line';

import { changedFiles } from '../verify/changed-files.ts';
import { runProgram, runScripts } from '../verify/run-scripts.ts';

const help = `Usage: pnpm quick

Runs the checks that take seconds: types, format, prose and rules, and lint for the
files that changed since the branch left the main branch. Before you push:
pnpm verify.

  --help  print this

Exit code: 0 when all pass, 1 when not, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm quick',
  help,
  read: noFlags,
  async run() {
    const changed = changedFiles().filter((path) => /\.[jt]sx?$/u.test(path));
    await Promise.all([
      runScripts(['types', 'prose', 'rules', 'format:check']),
      changed.length > 0 && runProgram('pnpm', ['run', 'lint', ...changed]),
    ]);
  },
});
