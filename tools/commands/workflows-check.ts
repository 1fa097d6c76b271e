// `pnpm workflows:check`: the workflows of .github, as GitHub reads them.
import { noFlags, runCommand } from '@meridian/settings/command-line';

import { checkWorkflows } from '../workflows/check-workflows.ts';

const help = `Usage: pnpm workflows:check

Checks .github/workflows with actionlint, which is taken from the PATH or built where there is Go.
Without either, it says so and checks nothing.

  --help  print this

Exit code: 0 when nothing is wrong, 1 when something is, 2 for a wrong call.`;

await runCommand({ name: 'pnpm workflows:check', help, read: noFlags, run: checkWorkflows });
