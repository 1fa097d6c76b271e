// CI runs a test that fails once more, after the others of its file: a busy machine fails one in some hundred thousand, and
// a change that is right must not wait for that. A test that fails twice fails, and .ci/run lists what was run again.
import process from 'node:process';

import { jest } from '@jest/globals';

if (process.env['CI'] === 'true') {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}
