// The end-to-end run: whole stacks on free ports, two at a time, since one leaves a core idle.
import suite, { common } from './jest.config.js';

export default {
  ...common,
  testMatch: ['**/test/e2e/**/*.test.ts'],
  maxWorkers: suite.maxWorkers,
  workerGracefulExitTimeout: suite.workerGracefulExitTimeout,
};
