/** A response of accounts other than a success. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly status: number;

  constructor(status: number) {
    super(`accounts responded with ${status}`);
    this.status = status;
  }
}
