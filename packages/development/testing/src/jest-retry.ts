// In CI, a test that fails runs a second time, after the others of its file: on a busy machine, one in some ten thousand
// fails without a fault. A test that fails twice fails, and .ci/run lists what ran twice.
import process from 'node:process';

if (process.env['CI'] === 'true') {
  // As `jest.retryTimes(1, { logErrorsBeforeRetry: true })` does.
  Object.assign(globalThis, {
    [Symbol.for('RETRY_TIMES')]: 1,
    [Symbol.for('LOG_ERRORS_BEFORE_RETRY')]: true,
  });
}
