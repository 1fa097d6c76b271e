// The run on a Citus cluster, `pnpm test:citus`: the suites of the services again, with a database of a coordinator and
// two workers, and those that only a cluster can have. It needs a PostgreSQL with Citus (docs/scale.md).
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

import suite, { common } from './jest.config.js';

/** The apps that say how a cluster distributes their tables. */
const distributed = globSync('apps/*/distribution.json', { cwd: import.meta.dirname }).map((path) =>
  dirname(path),
);

const onCitus = {
  ...common,
  globalSetup: '<rootDir>/packages/development/testing/src/jest-global-setup-citus.ts',
  globalTeardown: suite.globalTeardown,
};

export default {
  maxWorkers: 2,
  workerGracefulExitTimeout: suite.workerGracefulExitTimeout,
  testTimeout: common.testTimeout,
  projects: [
    { ...common, displayName: 'cluster', testMatch: ['**/test/citus/**/*.test.ts'] },
    {
      ...onCitus,
      displayName: 'on citus',
      roots: distributed.map((app) => `<rootDir>/${app}`),
      testMatch: suite.testMatch,
      // It counts blocks, and Citus explains no function that runs on a worker.
      testPathIgnorePatterns: [...suite.testPathIgnorePatterns, 'cost-of-reads', 'many-webhooks'],
    },
    {
      ...onCitus,
      displayName: 'on citus behind pgbouncer',
      roots: ['<rootDir>/apps/accounts', '<rootDir>/apps/orders'],
      testMatch: ['**/test/routes/**/*.test.ts', '**/test/idempotency-key.test.ts'],
      setupFiles: ['<rootDir>/packages/development/testing/src/jest-behind-pgbouncer.ts'],
    },
  ],
};
