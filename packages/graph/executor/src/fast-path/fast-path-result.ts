import type { ExecutionResult } from '../result.ts';

/** The text around the data in a response. */
const dataStart = '{"data":'.length;
const dataEnd = -'}'.length;

/** The result of a run without errors. Its data is decoded on first use. */
export class FastPathResult implements ExecutionResult {
  declare readonly data: string;
  readonly errors = [];
  readonly cacheControl: readonly string[];
  readonly #response: Buffer;

  /** @param response the whole of it: `{"data":…}` */
  constructor(response: Buffer, cacheControl: readonly string[]) {
    this.#response = response;
    this.cacheControl = cacheControl;
    // An own property, so that copies of a result include it.
    Object.defineProperty(this, 'data', dataProperty);
  }

  decode(): string {
    return this.#response.subarray(dataStart, dataEnd).toString();
  }

  /** The whole response, one buffer for all deduplicated clients. */
  encode(): Buffer {
    return this.#response;
  }
}

const dataProperty: PropertyDescriptor & ThisType<FastPathResult> = {
  enumerable: true,
  get() {
    return this.decode();
  },
};

/**
 * The whole response to a client, `{"data":…}`, of a result without errors. Mostly nothing has to be encoded for it.
 */
export function encodeResponse(result: Pick<ExecutionResult, 'data'>): Buffer {
  return result instanceof FastPathResult ? result.encode() : Buffer.from(`{"data":${result.data}}`);
}
