import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { readServiceConfig } from '@meridian/service';
import type { ServiceConfig } from '@meridian/service';

/** The configuration of the users service; an invalid environment ends the process. */
export function readConfig(): ServiceConfig {
  return exitOnBadEnvironment(() =>
    readServiceConfig(process.env, { port: 4005, adminPort: 8085, requestDeadlineMs: 4_000 }),
  );
}
