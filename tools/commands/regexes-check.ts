// `pnpm regexes:check`: a regular expression in an app or a package that can take more than linear time fails.
import { noFlags, runCommand } from '@meridian/settings/command-line';

import { checkRegexes } from '../regexes/check-regexes.ts';

const help = `Usage: pnpm regexes:check

Analyses every regular expression of apps and packages, and fails where one can be
made to take more than linear time by the text that it is tried on. Verdicts are
kept in node_modules/.cache: an expression is analysed once on a machine.

  --help  print this

Exit code: 0 when none can, 1 when one can, 2 for a wrong call.`;

await runCommand({ name: 'pnpm regexes:check', help, read: noFlags, run: checkRegexes });
