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
