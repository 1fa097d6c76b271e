// The run against programs that Debian packages (pgbouncer, redis-server, chromium): `pnpm test:system`. CI installs
// them; a machine without one fails here, by name, and loses nothing of `pnpm test`.
import suite, { common } from './jest.config.js';

export default {
  ...common,
  testMatch: ['**/test/system/**/*.test.ts'],
  testTimeout: 180_000,
  maxWorkers: 2,
  globalSetup: suite.globalSetup,
  globalTeardown: suite.globalTeardown,
};
