/** An invalid manifest file. The message is one line that names the file. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  /** The name of the file in messages. */
  readonly file: string;
  /** Its fault, without the file's name. */
  readonly fault: string;

  constructor(file: string, fault: string) {
    super(`Cannot read the manifest ${file}: ${fault}`);
    this.file = file;
    this.fault = fault;
  }
}
