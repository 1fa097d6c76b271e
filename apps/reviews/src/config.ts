import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { readServiceConfig, type ServiceConfig } from '@meridian/service';

/**
 * What the reviews service runs with; a bad environment ends the process. The deadline is short because reviews are not
 * critical: the gateway waits 800 ms for them. Spec: Limits, "Timeout for the reviews subgraph".
 */
export function readConfig(): ServiceConfig {
  return exitOnBadEnvironment(() =>
    readServiceConfig(process.env, { port: 4003, adminPort: 8083, requestDeadlineMs: 700 }),
  );
}
