import process from 'node:process';

import { exitOnBadEnvironment, readEnvironment } from '@meridian/settings/environment';
import { resourceConfigOf, resourceVariables, serviceConfigOf, serviceVariables } from '@meridian/service';
import type { ResourceConfig, ServiceConfig } from '@meridian/service';

/** The configuration of the accounts service. */
export interface Config extends ServiceConfig, ResourceConfig {}

/** An invalid environment ends the process. */
export function readConfig(): Config {
  return exitOnBadEnvironment(() => {
    const read = readEnvironment(process.env, {
      ...serviceVariables(process.env, { port: 4001, adminPort: 8081, requestDeadlineMs: 2_000 }),
      ...resourceVariables,
    });
    return Object.freeze({ ...serviceConfigOf(process.env, read), ...resourceConfigOf(read) });
  });
}
