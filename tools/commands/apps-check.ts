// `pnpm apps:check`: the files that list apps, against the app.yaml of each.
import { noFlags, runCommand } from '@meridian/settings/command-line';

import { checkApps } from '../apps/check-apps.ts';

const help = `Usage: pnpm apps:check

Compares every list of apps in the repository with apps/*/app.yaml, both ways: supergraph.yaml,
router.yaml, CODEOWNERS, the files of docker/ and deploy/. A fault says which lines to add, or
what is left over. pnpm create-subgraph and pnpm remove-subgraph write these lists.

  --help  print this

Exit code: 0 when there is no fault, 1 when there is one, 2 for a wrong call.`;

await runCommand({ name: 'pnpm apps:check', help, read: noFlags, run: checkApps });
