// `pnpm docker:check`: lints docker/Dockerfile and docker/compose.yaml, which no test runs, and misses an app in them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { readWords, runCommand } from '@meridian/command-line';

import { composeFaults } from './docker/compose-faults.ts';
import { dockerfileFaults } from './docker/dockerfile-faults.ts';

const help = `Usage: pnpm docker:check

Lints docker/Dockerfile and docker/compose.yaml, and misses an app in them.

  --help  print this

Exit code: 0 when there is no fault, 1 when there is one, 2 for a wrong call.`;

/** The example client is tried beside a stack, on a developer's machine. */
const undeployed: ReadonlySet<string> = new Set(['storefront']);

await runCommand({
  name: 'pnpm docker:check',
  help,
  read: (words) => readWords(words, {}),
  run: checkDocker,
});

function checkDocker(): void {
  const apps = readdirSync('apps').filter(
    (app) => existsSync(`apps/${app}/src/main.ts`) && !undeployed.has(app),
  );
  const faults = [
    ...dockerfileFaults(readFileSync('docker/Dockerfile', 'utf8')).map(
      (fault) => `docker/Dockerfile:${fault}`,
    ),
    ...composeFaults(readFileSync('docker/compose.yaml', 'utf8'), apps).map(
      (fault) => `docker/compose.yaml: ${fault}`,
    ),
  ];
  for (const fault of faults) {
    console.error(fault);
  }
  console.log(`docker: ${apps.length} apps, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
