// The run on a Citus cluster, `pnpm test:citus`: the suites of the services again, with a database of a coordinator and two
// workers, and those that only a cluster can have. It needs a PostgreSQL with Citus (docs/scale.md).
import suite, { common } from './jest.config.js';

const onCitus = {
  ...common,
  globalSetup: '<rootDir>/packages/testing/src/jest-global-setup-citus.ts',
  globalTeardown: '<rootDir>/packages/testing/src/jest-global-teardown-citus.ts',
};

export default {
  maxWorkers: 2,
  testTimeout: common.testTimeout,
  projects: [
    { ...common, displayName: 'cluster', testMatch: ['**/test/citus/**/*.test.ts'] },
    {
      ...onCitus,
      displayName: 'on citus',
      roots: ['accounts', 'orders', 'products', 'reviews', 'users'].map((app) => `<rootDir>/apps/${app}`),
      testMatch: suite.testMatch,
      testPathIgnorePatterns: suite.testPathIgnorePatterns,
    },
  ],
};
