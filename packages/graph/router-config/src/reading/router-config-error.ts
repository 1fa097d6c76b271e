/** An invalid configuration. The message has one line for each fault, which names the files. */
export class RouterConfigError extends Error {
  override readonly name = 'RouterConfigError';
  /** One sentence for each fault, starting with the path of the key. Never shows a value, which may be a secret. */
  readonly faults: readonly string[];

  /** `files`: the names of the configuration and its overlay, as the operator gave them. */
  constructor(faults: readonly string[], files: readonly string[] = []) {
    super(faults.map((fault) => withFiles(fault, files)).join('\n'));
    this.faults = faults;
  }
}

/** A fault of a whole file names it already. */
function withFiles(fault: string, files: readonly string[]): string {
  const isNamed = files.length === 0 || files.some((file) => fault.startsWith(`${file}: `));
  return isNamed ? fault : `${files.join(' with ')}: ${fault}`;
}
