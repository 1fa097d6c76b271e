/** An array of operations, of a caller who is known; thrown in place of the operation that a stage expects. */
export class ReceivedBatch extends Error {
  override readonly name = 'ReceivedBatch';
  /** JSON, an array. */
  readonly body: Uint8Array;
  readonly size: number;

  constructor(body: Uint8Array, size: number) {
    super('a batch of operations');
    this.body = body;
    this.size = size;
  }
}
