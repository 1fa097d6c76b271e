// `pnpm rules`: checks docs/rules.md against the checkout. Prints each fault on its line, then one summary line.
import { noFlags, runCommand } from '@meridian/settings/command-line';

import { checkRules } from '../rules/check-rules.ts';

const help = `Usage: pnpm rules

Checks docs/rules.md against the checkout: every rule of the specification has its row,
and every file and test that a row names is there.

  --help  print this

Exit code: 0 when there is no fault, 1 when there is one, 2 for a wrong call.`;

await runCommand({ name: 'pnpm rules', help, read: noFlags, run: checkRules });
