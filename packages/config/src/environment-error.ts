/** The environment does not hold what the process needs. The message has one line for each variable at fault. */
export class EnvironmentError extends Error {
  /** One sentence for each variable, in the order in which they were declared. Never shows a secret. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'EnvironmentError';
    this.faults = faults;
  }
}
