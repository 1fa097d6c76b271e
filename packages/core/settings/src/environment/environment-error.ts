import process from 'node:process';

/** The environment is invalid. The message has one line for each faulty variable. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  /** One sentence for each variable, in the order of their declarations. Never shows a secret. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

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
