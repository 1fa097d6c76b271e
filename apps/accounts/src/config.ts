import process from 'node:process';

import { exitOnBadEnvironment, integer, readEnvironment, secretList } from '@meridian/config';
import { serviceConfigOf, serviceVariables, type ServiceConfig } from '@meridian/service';

/** What the accounts service runs with. */
export interface Config extends ServiceConfig {
  /** The first makes entity tags, the others are earlier ones that clients may still hold tags of. */
  readonly etagKeys: readonly string[];
  /** The first seals cursors, all of them open. */
  readonly cursorKeys: readonly string[];
  /** What one tenant may send to this process. */
  readonly tenantRequestsPerSecond: number;
}

/** A bad environment ends the process. */
export function readConfig(): Config {
  return exitOnBadEnvironment(() => {
    const read = readEnvironment(process.env, {
      ...serviceVariables(process.env, { port: 4001, adminPort: 8081, requestDeadlineMs: 2_000 }),
      ETAG_KEYS: secretList({}),
      CURSOR_KEYS: secretList({}),
      TENANT_REQUESTS_PER_SECOND: integer({ minimum: 1, maximum: 1_000_000 }, { default: 10_000 }),
    });
    return Object.freeze({
      ...serviceConfigOf(process.env, read),
      etagKeys: read.ETAG_KEYS,
      cursorKeys: read.CURSOR_KEYS,
      tenantRequestsPerSecond: read.TENANT_REQUESTS_PER_SECOND,
    });
  });
}
