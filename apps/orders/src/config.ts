import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { readSubgraphConfig, type SubgraphConfig } from '@meridian/subgraph';

/** What the orders service runs with; a bad environment ends the process. */
export function readConfig(): SubgraphConfig {
  return exitOnBadEnvironment(() =>
    readSubgraphConfig(process.env, { port: 4004, adminPort: 8084, requestDeadlineMs: 4_000 }),
  );
}
