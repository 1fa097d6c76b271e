// `pnpm docker:check`: lints docker/Dockerfile and docker/compose.yaml, which no test runs, and misses an app in them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { composeFaults } from './docker/compose-faults.ts';
import { dockerfileFaults } from './docker/dockerfile-faults.ts';

/** The example client is tried beside a stack, on a developer's machine. */
const undeployed: ReadonlySet<string> = new Set(['storefront']);
const apps = readdirSync('apps').filter(
  (app) => existsSync(`apps/${app}/src/main.ts`) && !undeployed.has(app),
);
const faults = [
  ...dockerfileFaults(readFileSync('docker/Dockerfile', 'utf8')).map((fault) => `docker/Dockerfile:${fault}`),
  ...composeFaults(readFileSync('docker/compose.yaml', 'utf8'), apps).map(
    (fault) => `docker/compose.yaml: ${fault}`,
  ),
];

for (const fault of faults) {
  console.error(fault);
}
console.log(`docker: ${apps.length} apps, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
