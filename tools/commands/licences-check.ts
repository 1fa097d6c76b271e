// `pnpm licences:check`: a dependency under a licence that is neither permissive nor explained in docs/licences.md fails.
import { noFlags, runCommand } from '@meridian/settings/command-line';

import { checkLicences } from '../licences/check-licences.ts';

const help = `Usage: pnpm licences:check

Fails when a dependency is under a licence that is neither permissive nor explained
in docs/licences.md.

  --help  print this

Exit code: 0 when all may be used, 1 when not, 2 for a wrong call.`;

await runCommand({ name: 'pnpm licences:check', help, read: noFlags, run: checkLicences });
