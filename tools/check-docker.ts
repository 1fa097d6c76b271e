// `pnpm docker:check`: lints the files of docker/, and holds their lists against the apps and the subgraphs.
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { readArgs, runCommand } from '@meridian/command-line';

import { composeFaults } from './docker/compose-faults.ts';
import { readDeployment } from './docker/deployment.ts';
import { dockerfileFaults } from './docker/dockerfile-faults.ts';
import { provisionFaults } from './docker/provision-faults.ts';

const help = `Usage: pnpm docker:check

Lints docker/Dockerfile and docker/compose.yaml, and holds each list of apps, databases
and URLs in docker/ against the apps and supergraph.yaml: what is missing is a fault,
and what is left over.

  --help  print this

Exit code: 0 when there is no fault, 1 when there is one, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm docker:check',
  help,
  read: (words) => readArgs(words, {}),
  run: checkDocker,
});

function checkDocker(): void {
  const deployment = readDeployment('.');
  const faultsByFile = {
    'docker/Dockerfile:': dockerfileFaults(readFileSync('docker/Dockerfile', 'utf8')),
    'docker/compose.yaml: ': composeFaults(readFileSync('docker/compose.yaml', 'utf8'), deployment),
    'docker/provision.sql: ': provisionFaults(
      readFileSync('docker/provision.sql', 'utf8'),
      deployment.databases,
    ),
  };
  const faults = Object.entries(faultsByFile).flatMap(([file, ofFile]) =>
    ofFile.map((fault) => file + fault),
  );
  for (const fault of faults) {
    console.error(fault);
  }
  console.log(`docker: ${deployment.apps.length} apps, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
