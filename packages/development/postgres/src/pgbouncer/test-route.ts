import process from 'node:process';

import { startPgbouncer } from './start-pgbouncer.ts';
import type { PgbouncerOptions } from './start-pgbouncer.ts';

/** The route from the services of a suite to their database. */
export interface TestRoute {
  readonly serviceUrl: string;
  /** True if the route is through PgBouncer: the server then sees PgBouncer's connections, not a service's. */
  readonly isPooled: boolean;
  /** Ends it, with any connection that is still open. */
  close(): Promise<void>;
}

/** The variable that sends the services of a test run through PgBouncer. */
const poolerVariable = 'MERIDIAN_TEST_POOLER';

/**
 * Opens the route of this test run: direct, or, if `MERIDIAN_TEST_POOLER` is `pgbouncer`, through the suite's own
 * PgBouncer.
 */
export async function openTestRoute(options: PgbouncerOptions): Promise<TestRoute> {
  if (process.env[poolerVariable] !== 'pgbouncer') {
    return { serviceUrl: options.serviceUrl, isPooled: false, close: () => Promise.resolve() };
  }
  const pgbouncer = await startPgbouncer(options);
  return { serviceUrl: pgbouncer.url, isPooled: true, close: () => pgbouncer.stop() };
}
