import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { readSubgraphConfig, type SubgraphConfig } from '@meridian/subgraph';

/** What the products service runs with; a bad environment ends the process. */
export function readConfig(): SubgraphConfig {
  return exitOnBadEnvironment(() =>
    readSubgraphConfig(process.env, { port: 4002, adminPort: 8082, requestDeadlineMs: 4_000 }),
  );
}
