// The run against programs that Debian packages (pgbouncer, redis-server, docker-registry, chromium): `pnpm test:system`. CI installs
// them; a machine without one fails here, by name, and loses nothing of `pnpm test`.
import suite, { common } from './jest.config.js';

const onPostgres = {
  ...common,
  globalSetup: suite.globalSetup,
  globalTeardown: suite.globalTeardown,
};
/** Suites of the ordinary run, repeated under other conditions. */
const again = {
  ...onPostgres,
  testMatch: suite.testMatch,
  // They count and break the connections of one process, which has its own listener.
  testPathIgnorePatterns: [...suite.testPathIgnorePatterns, '/event-readers/'],
};

export default {
  maxWorkers: 2,
  workerGracefulExitTimeout: suite.workerGracefulExitTimeout,
  testTimeout: common.testTimeout,
  projects: [
    { ...onPostgres, displayName: 'programs', testMatch: ['**/test/system/**/*.test.ts'] },
    {
      ...again,
      displayName: 'behind pgbouncer',
      roots: ['<rootDir>/apps/accounts', '<rootDir>/apps/orders', '<rootDir>/packages/services/database'],
      setupFiles: ['<rootDir>/packages/development/testing/src/jest-behind-pgbouncer.ts'],
    },
    {
      ...again,
      displayName: 'two replicas',
      roots: ['<rootDir>/apps/accounts'],
      setupFiles: ['<rootDir>/packages/development/testing/src/jest-two-replicas.ts'],
      // These suites start their own processes or none, count what one process rejects or sends, need a timeout that is
      // not configurable, or send requests that the proxy rejects.
      testPathIgnorePatterns: [
        ...again.testPathIgnorePatterns,
        '/(linearizability|fuzz|ledger-under-kills|problem-pages)/',
        '/(fairness|noisy-tenant|process|processes|send-message|store-failure|upgrade)\\.test',
      ],
    },
  ],
};
