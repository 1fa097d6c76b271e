import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { readEventLogServiceConfig } from '@meridian/service';

/** The configuration of the template service; a bad environment ends the process. */
export function readConfig(): ReturnType<typeof readEventLogServiceConfig> {
  return exitOnBadEnvironment(() =>
    readEventLogServiceConfig(process.env, { port: 4999, adminPort: 8999, requestDeadlineMs: 4_000 }),
  );
}
