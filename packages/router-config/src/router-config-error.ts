/** The configuration does not hold what the gateway needs. The message has one line for each fault. */
export class RouterConfigError extends Error {
  /** One sentence each, beginning with the path of the key. Never shows a value that may be a secret. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'RouterConfigError';
    this.faults = faults;
  }
}
