import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { readSubgraphConfig, type SubgraphConfig } from '@meridian/subgraph';

/** What the users service runs with; a bad environment ends the process. */
export function readConfig(): SubgraphConfig {
  return exitOnBadEnvironment(() =>
    readSubgraphConfig(process.env, { port: 4005, adminPort: 8085, requestDeadlineMs: 4_000 }),
  );
}
