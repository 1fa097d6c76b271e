// One run over all packages. ESM, so jest needs Node's VM modules; without the flag it would quietly run every
// suite as CommonJS, and most would still pass.
import { createRequire } from 'node:module';
import vm from 'node:vm';

if (vm.SourceTextModule === undefined) {
  throw new Error('jest must run as `pnpm test`: node needs --experimental-vm-modules for ES modules');
}

const { resolve } = createRequire(import.meta.url);

/** The settings that the suite and the end-to-end run share. */
export const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      resolve('@swc/jest'),
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  roots: ['<rootDir>/apps', '<rootDir>/packages', '<rootDir>/tools'],
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  setupFiles: ['<rootDir>/packages/testing/src/jest-one-realm.ts'],
  setupFilesAfterEnv: ['<rootDir>/packages/testing/src/jest-retry.ts'],
  // Long enough for any machine: a test checks what is right, not how fast it is. A test that hangs still fails.
  testTimeout: 300_000,
};

export default {
  ...common,
  testMatch: ['**/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/e2e/', '/test/system/', '/test/images/', '/test/citus/'],
  maxWorkers: 2,
  // Modules of a suite that has ended are not all given back; a worker that has grown makes room for a new one.
  workerIdleMemoryLimit: '1500MB',
  // Measured: a worker with 600 MB takes Node up to half a second to end after its last suite, without an open handle.
  // jest would report that as a leak after 500 ms. A worker that a leak keeps alive is still reported.
  workerGracefulExitTimeout: 10_000,
  globalSetup: '<rootDir>/packages/testing/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/jest-global-teardown.ts',
};
