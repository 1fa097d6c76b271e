// One run over all packages. Node loads the modules, as in production: packages/development/testing/src/jest-runtime.ts.
import { join } from 'node:path';
import process from 'node:process';

// Measured: 40 % of the CPU time that a service takes to load. The processes of tests inherit it.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.data/compile-cache');
// So that a copy of the checkout finds its files in the same folder.
process.env['NODE_COMPILE_CACHE_PORTABLE'] ??= '1';

/** The settings that all runs share. */
export const common = {
  runtime: '<rootDir>/packages/development/testing/src/jest-runtime.ts',
  testEnvironment: '<rootDir>/packages/development/testing/src/jest-environment.ts',
  transform: {},
  injectGlobals: false,
  roots: ['<rootDir>/apps', '<rootDir>/packages', '<rootDir>/tools'],
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  setupFilesAfterEnv: ['<rootDir>/packages/development/testing/src/jest-retry.ts'],
  // Long enough for any machine: a test checks what is right, not how fast it is. A test that hangs still fails.
  testTimeout: 300_000,
};

export default {
  ...common,
  testMatch: ['**/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/system/', '/test/images/', '/test/citus/'],
  // Of two workers, one in three waits: for a deadline, or for what it started. CI runs a failed test again.
  maxWorkers: process.env['CI'] === 'true' ? 3 : 2,
  // Modules of a suite that has ended are not all given back; a worker that has grown makes room for a new one.
  workerIdleMemoryLimit: '1500MB',
  // Measured: a worker with 600 MB takes Node up to half a second to end after its last suite, without an open handle.
  // jest would report that as a leak after 500 ms. A worker that a leak keeps alive is still reported.
  workerGracefulExitTimeout: 10_000,
  globalSetup: '<rootDir>/packages/development/testing/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/packages/development/testing/src/jest-global-teardown.ts',
};
