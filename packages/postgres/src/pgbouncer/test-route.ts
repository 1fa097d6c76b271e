import process from 'node:process';

import type { PgbouncerOptions } from './configuration.ts';
import { startPgbouncer } from './start-pgbouncer.ts';

/** The way from the services of a suite to their database. */
export interface TestRoute {
  readonly serviceUrl: string;
  /** Where the way is by PgBouncer: it knows a service's connections, the server knows PgBouncer's. */
  readonly isPooled: boolean;
  /** Gives it up, under any connection that is still open. */
  close(): Promise<void>;
}

/** The variable that sends the services of a test run through PgBouncer. */
const poolerVariable = 'MERIDIAN_TEST_POOLER';

/** The way of this test run: straight, or, where `MERIDIAN_TEST_POOLER` is `pgbouncer`, through one of the suite's own. */
export async function openTestRoute(options: PgbouncerOptions): Promise<TestRoute> {
  if (process.env[poolerVariable] !== 'pgbouncer') {
    return { serviceUrl: options.serviceUrl, isPooled: false, close: () => Promise.resolve() };
  }
  const pgbouncer = await startPgbouncer(options);
  return { serviceUrl: pgbouncer.url, isPooled: true, close: () => pgbouncer.stop() };
}
