// `pnpm verify`: every check of the house but the tests.
import { readArgs, runCommand } from '@meridian/command-line';

import { scripts, verify } from '../verify/verify.ts';

const help = `Usage: pnpm verify

Runs every check of the house but the tests: ${scripts.join(', ')}.

  --help  print this

Exit code: 0 when all pass, 1 when not, 2 for a wrong call.`;

await runCommand({ name: 'pnpm verify', help, read: (args) => readArgs(args, {}), run: verify });
