import { maxHeadBytes } from './field-line.ts';
import { ProtocolError } from './protocol-error.ts';
import type { ResponseBody } from './response-body.ts';
import { createPassedBody, createResponseBody } from './response-body.ts';
import type { ResponseHead } from './response-head.ts';
import { parseResponseHead } from './response-head.ts';

export interface Response {
  readonly head: ResponseHead;
  /** Complete only for 2xx: the rest of another response is not read. */
  readonly body: Buffer;
  /** True when all of it has arrived. */
  readonly isComplete: boolean;
}

const nothing = Buffer.alloc(0);
const endOfHead = Buffer.from('\r\n\r\n');
const startOfHead = 'HTTP/1.';
/** The most interim responses, such as `103 Early Hints`, before the final one. */
const maxInterimResponses = 8;

/** Reads the responses of one connection, one after another. */
export class ResponseReader {
  /** Bytes that have arrived and are not read yet. */
  #bytes: Buffer = nothing;
  #head: ResponseHead | undefined;
  #body: ResponseBody | undefined;
  #interimResponses = 0;

  /** True when a part of the next response has arrived. */
  get hasBegun(): boolean {
    return this.#bytes.length > 0 || this.#head !== undefined;
  }

  /** Takes what has arrived. The bytes are read, or copied, by the next call of `next`. */
  push(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  /**
   * The next response, once it has arrived.
   *
   * @throws {ProtocolError}
   * @throws {SubgraphFailure} SUBREQUEST_MALFORMED_RESPONSE for a body that is over the cap
   */
  next(maxBodyBytes: number): Response | undefined {
    const head = this.#head ?? this.#readHead();
    if (head === undefined) {
      return undefined;
    }
    this.#head = head;
    const isRefusal = head.status > 299;
    // An error response is not read to its end: it may claim any length.
    this.#body ??= isRefusal
      ? createPassedBody(head.framing)
      : createResponseBody(head.framing, maxBodyBytes);
    this.#bytes = this.#body.read(this.#bytes);
    const { isComplete } = this.#body;
    return isComplete || isRefusal ? this.#take(head, isComplete) : undefined;
  }

  /** The response that is complete because the connection ended cleanly. */
  end(): Response | undefined {
    return this.#head?.framing === 'until close' ? this.#take(this.#head, true) : undefined;
  }

  #take(head: ResponseHead, isComplete: boolean): Response {
    const body = this.#body?.bytes() ?? nothing;
    this.#head = undefined;
    this.#body = undefined;
    this.#interimResponses = 0;
    return { head, body, isComplete };
  }

  #readHead(): ResponseHead | undefined {
    for (;;) {
      const end = this.#bytes.indexOf(endOfHead);
      const isTooLong = end > maxHeadBytes || (end === -1 && this.#bytes.length > maxHeadBytes);
      if (isTooLong || (end === -1 && !this.#mayBeHead())) {
        throw new ProtocolError('the response has no head, or one that does not end');
      }
      if (end === -1) {
        this.#bytes = Buffer.from(this.#bytes);
        return undefined;
      }
      const head = parseResponseHead(this.#bytes.toString('latin1', 0, end));
      this.#bytes = this.#bytes.subarray(end + endOfHead.length);
      if (head.status >= 200) {
        return head;
      }
      this.#interimResponses += 1;
      if (head.status === 101 || this.#interimResponses > maxInterimResponses) {
        throw new ProtocolError(`the response has the unrequested status ${head.status}`);
      }
    }
  }

  /** Rejects bytes that do not start like a head before their end, which may never come. */
  #mayBeHead(): boolean {
    return startOfHead.startsWith(this.#bytes.toString('latin1', 0, startOfHead.length));
  }
}
