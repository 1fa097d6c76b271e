import { readFileSync } from 'node:fs';

import { reportFaults } from '../report-faults.ts';
import { composeFaults } from './compose-faults.ts';
import { readDeployment } from './deployment.ts';
import { dockerfileFaults } from './dockerfile-faults.ts';

/** Lints the files of docker/, and checks each service of the Compose file against its app. */
export function checkDocker(): void {
  const deployment = readDeployment('.');
  const faultsByFile = {
    'docker/Dockerfile:': dockerfileFaults(readFileSync('docker/Dockerfile', 'utf8')),
    'docker/compose.yaml: ': composeFaults(readFileSync('docker/compose.yaml', 'utf8'), deployment),
  };
  const faults = Object.entries(faultsByFile).flatMap(([file, ofFile]) =>
    ofFile.map((fault) => file + fault),
  );
  reportFaults(faults, `docker: ${deployment.apps.length} apps, ${faults.length} faults`);
}
