// `pnpm docker:check`: lints the files of docker/, and checks their lists against the apps and the subgraphs.
import { readArgs, runCommand } from '@meridian/command-line';

import { checkDocker } from '../docker/check-docker.ts';

const help = `Usage: pnpm docker:check

Lints docker/Dockerfile and docker/compose.yaml, and holds each list of apps, databases
and URLs in docker/ against the apps and supergraph.yaml: what is missing is a fault,
and what is left over.

  --help  print this

Exit code: 0 when there is no fault, 1 when there is one, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm docker:check',
  help,
  read: (args) => readArgs(args, {}),
  run: checkDocker,
});
