// `pnpm docker:check`: lints the files of docker/, and compares each service with its app.
import { readArgs, runCommand } from '@meridian/settings/command-line';

import { checkDocker } from '../docker/check-docker.ts';

const help = `Usage: pnpm docker:check

Lints docker/Dockerfile and docker/compose.yaml, and compares each service with its app:
its image, its database, the URLs of the subgraphs that it calls. pnpm apps:check says
which services there must be.

  --help  print this

Exit code: 0 when there is no fault, 1 when there is one, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm docker:check',
  help,
  read: (args) => readArgs(args, {}),
  run: checkDocker,
});
