// In CI, a test that fails runs a second time, after the others of its file: on a busy machine, one in some ten thousand
// fails without a fault. A test that fails twice fails, and .ci/run lists what ran twice.
import process from 'node:process';

import { jest } from '@jest/globals';

if (process.env['CI'] === 'true') {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}
