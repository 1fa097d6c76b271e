import process from 'node:process';

import { EnvironmentError } from './environment-error.ts';

/**
 * Runs `read`, which reads the process's configuration. When the environment is at fault, the process ends
 * with exit code 1 and one line on standard error for each variable, without a stack trace.
 */
export function exitOnBadEnvironment<Configuration>(read: () => Configuration): Configuration {
  try {
    return read();
  } catch (error) {
    if (error instanceof EnvironmentError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    }
    throw error;
  }
}
