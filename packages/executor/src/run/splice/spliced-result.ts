import type { ExecutionResult } from '../../result.ts';

/** The result of a run without errors. Its data is decoded where somebody reads it. */
export class SplicedResult implements ExecutionResult {
  declare readonly data: string;
  readonly errors = [];
  readonly cacheControl: readonly string[];
  readonly #text: string;
  #encoded: Buffer | undefined;

  /** @param text the data as JSON, a character for each byte of its UTF-8 */
  constructor(text: string, cacheControl: readonly string[]) {
    this.#text = text;
    this.cacheControl = cacheControl;
    // Of its own, so that whoever copies a result copies what it says.
    Object.defineProperty(this, 'data', dataProperty);
  }

  decode(): string {
    return Buffer.from(this.#text, 'latin1').toString();
  }

  /** The whole answer, once for all clients that share it. */
  encode(): Buffer {
    return (this.#encoded ??= Buffer.from(`{"data":${this.#text}}`, 'latin1'));
  }
}

const dataProperty: PropertyDescriptor & ThisType<SplicedResult> = {
  enumerable: true,
  get() {
    return this.decode();
  },
};

/** The whole answer to a client, `{"data":…}`, of a result without errors: in most cases nothing has to be encoded for it. */
export function encodeAnswer(result: Pick<ExecutionResult, 'data'>): Buffer {
  return result instanceof SplicedResult ? result.encode() : Buffer.from(`{"data":${result.data}}`);
}
