/** An invalid configuration. The message has one line for each fault. */
export class RouterConfigError extends Error {
  /** One sentence for each fault, starting with the path of the key. Never shows a value, which may be a secret. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'RouterConfigError';
    this.faults = faults;
  }
}
