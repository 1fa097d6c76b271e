import { SubgraphFailure } from '../subgraph-failure.ts';
import { ProtocolError, maxHeadBytes } from './message-syntax.ts';
import type { HeadPattern } from './head-pattern.ts';
import { matchHead, patternOf } from './head-pattern.ts';
import type { ResponseBody } from './response-body.ts';
import { createResponseBody } from './response-body.ts';
import type { ResponseHead } from './response-head.ts';
import { parseResponseHead } from './response-head.ts';

export interface Response {
  readonly head: ResponseHead;
  /** Complete only for 2xx and errors in JSON: the rest of another response is not read. */
  readonly body: Buffer;
  /** True when all of it has arrived. */
  readonly isComplete: boolean;
}

const nothing = Buffer.alloc(0);
const endOfHead = Buffer.from('\r\n\r\n');
const startOfHead = 'HTTP/1.';
/** The most interim responses, such as `103 Early Hints`, before the final one. */
const maxInterimResponses = 8;
/** The most patterns of one connection: making one costs more than reading a head, and some heads never repeat. */
const maxPatterns = 16;

/** Reads the responses of one connection, one after another. */
export class ResponseReader {
  /** Bytes that have arrived. */
  #bytes: Buffer = nothing;
  /** The position in them after those that are read. */
  #position = 0;
  /** Of the last head that was read in full. */
  #pattern: HeadPattern | undefined;
  #patternsLeft = maxPatterns;
  #head: ResponseHead | undefined;
  #body: ResponseBody | undefined;
  #interimResponses = 0;

  /** True when a part of the next response has arrived. */
  get hasBegun(): boolean {
    return this.#position < this.#bytes.length || this.#head !== undefined;
  }

  /** Takes what has arrived. The bytes are read, or copied, by the next call of `next`. */
  push(bytes: Buffer): void {
    const isAllRead = this.#position === this.#bytes.length;
    this.#bytes = isAllRead ? bytes : Buffer.concat([this.#unread(), bytes]);
    this.#position = 0;
  }

  /**
   * The next response, once it has arrived.
   *
   * @param readsFields true when its head has its text
   * @throws {ProtocolError}
   * @throws {SubgraphFailure} SUBREQUEST_MALFORMED_RESPONSE for a body that is over the cap
   */
  next(maxBodyBytes: number, readsFields: boolean): Response | undefined {
    const head = this.#head ?? this.#readHead(readsFields);
    if (head === undefined) {
      return undefined;
    }
    const isPassed = head.status > 299 && !head.isGraphqlError;
    if (isPassed) {
      return this.#passBody(head);
    }
    const whole = this.#body === undefined ? this.#readWholeBody(head, maxBodyBytes) : undefined;
    if (whole !== undefined) {
      return this.#take(head, whole, true);
    }
    this.#head = head;
    try {
      this.#body ??= createResponseBody(head.framing, maxBodyBytes);
      this.#bytes = this.#body.read(this.#unread());
    } catch (error) {
      if (head.isGraphqlError && error instanceof SubgraphFailure) {
        return this.#take(head, nothing, false);
      }
      throw error;
    }
    this.#position = 0;
    return this.#body.isComplete ? this.#take(head, this.#body.bytes(), true) : undefined;
  }

  /** The response that is complete because the connection ended cleanly. */
  end(): Response | undefined {
    return this.#head?.framing === 'until close'
      ? this.#take(this.#head, this.#body?.bytes() ?? nothing, true)
      : undefined;
  }

  #unread(): Buffer {
    return this.#position === 0 ? this.#bytes : this.#bytes.subarray(this.#position);
  }

  /** Most bodies have arrived with their head. */
  #readWholeBody({ framing }: ResponseHead, maxBodyBytes: number): Buffer | undefined {
    const start = this.#position;
    const isWhole =
      typeof framing === 'number' && framing <= maxBodyBytes && framing <= this.#bytes.length - start;
    if (!isWhole) {
      return undefined;
    }
    const body = Buffer.allocUnsafe(framing);
    this.#position = start + framing;
    this.#bytes.copy(body, 0, start, this.#position);
    return body;
  }

  /** Another error response is not read to its end, and none of it is kept: it may claim any length. */
  #passBody(head: ResponseHead): Response {
    const unread = this.#unread();
    this.#position = 0;
    if (typeof head.framing === 'number') {
      this.#bytes = unread.subarray(head.framing);
      return this.#take(head, nothing, unread.length >= head.framing);
    }
    const body = createResponseBody(head.framing, Infinity);
    this.#bytes = body.read(unread);
    return this.#take(head, nothing, body.isComplete);
  }

  #take(head: ResponseHead, body: Buffer, isComplete: boolean): Response {
    this.#head = undefined;
    this.#body = undefined;
    this.#interimResponses = 0;
    return { head, body, isComplete };
  }

  #readHead(readsFields: boolean): ResponseHead | undefined {
    const pattern = readsFields ? undefined : this.#pattern;
    const matched = pattern && matchHead(pattern, this.#bytes, this.#position);
    if (matched !== undefined && matched.end - this.#position <= maxHeadBytes) {
      this.#position = matched.end;
      return matched.head;
    }
    for (;;) {
      const start = this.#position;
      const end = this.#bytes.indexOf(endOfHead, start);
      const isTooLong = (end === -1 ? this.#bytes.length : end) - start > maxHeadBytes;
      if (isTooLong || (end === -1 && !this.#mayBeHead())) {
        throw new ProtocolError('the response has no head, or one that does not end');
      }
      if (end === -1) {
        this.#bytes = Buffer.from(this.#unread());
        this.#position = 0;
        return undefined;
      }
      const text = this.#bytes.toString('latin1', start, end);
      const head = parseResponseHead(text);
      if (!readsFields && this.#patternsLeft > 0) {
        this.#patternsLeft -= 1;
        this.#pattern = patternOf(text, head);
      }
      this.#position = end + endOfHead.length;
      if (head.status >= 200) {
        return readsFields ? { ...head, text } : head;
      }
      this.#interimResponses += 1;
      if (head.status === 101 || this.#interimResponses > maxInterimResponses) {
        throw new ProtocolError(`the response has the unrequested status ${head.status}`);
      }
    }
  }

  /** Rejects bytes that do not start like a head before their end, which may never come. */
  #mayBeHead(): boolean {
    const start = this.#position;
    return startOfHead.startsWith(this.#bytes.toString('latin1', start, start + startOfHead.length));
  }
}
