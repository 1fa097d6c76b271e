// `pnpm verify`: every check of the house but the tests.
import { noFlags, runCommand } from '@meridian/settings/command-line';

import { reportChecks, scriptCheck } from '../verify/run-checks.ts';

/** Scripts of package.json; the slow ones first, so that none of them runs alone at the end. */
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

const help = `Usage: pnpm verify

Runs every check of the house but the tests: ${scripts.join(', ')}.

  --help  print this

Exit code: 0 when all pass, 1 when not, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm verify',
  help,
  read: noFlags,
  run: () => reportChecks('verify', scripts.map(scriptCheck)),
});
