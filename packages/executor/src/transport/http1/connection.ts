import type { Socket } from 'node:net';
import process from 'node:process';

import type { RequestText } from './request-text.ts';
import type { Response } from './response-reader.ts';
import { ResponseReader } from './response-reader.ts';

/** A request, and what comes of it: one of the two calls, once. */
export interface Exchange {
  readonly request: RequestText;
  readonly maxBodyBytes: number;
  /** True when another request may be sent after it before its response. */
  readonly isRepeatable: boolean;
  /** The connection that it was sent on. */
  connection: Connection | undefined;
  onResponse(response: Response): void;
  /** @param isLost that the other side closed a connection that was in use before, without a byte of an answer to this */
  onFailure(error: Error, isLost: boolean): void;
}

/**
 * Starts to connect.
 *
 * @param onBytes gets what arrives: bytes whose place is used again once it returns
 */
export type Connect = (onBytes: (bytes: Buffer) => void) => Socket;

export interface ConnectionOptions {
  readonly connect: Connect;
  /** The maximum of requests on it. */
  readonly pipelining: number;
  /** No request is on it any more. */
  readonly onIdle: () => void;
  readonly onClosed: () => void;
}

/** The longest time that an idle connection is kept; the other side may announce a shorter one. */
const maxIdleMs = 15_000;
/** The other side's closing may already be on its way. */
const keepAliveMarginMs = 1000;

/** One connection, and the requests that are on it. */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #reader = new ResponseReader();
  /** In the order in which they were sent, which is also the order of their responses. */
  readonly #pending: Exchange[] = [];
  #answered = 0;
  #isEnding = false;
  #idleUntil = Infinity;
  #failure: Error | undefined;

  constructor(options: ConnectionOptions) {
    const socket = options.connect((bytes) => this.#onData(bytes));
    this.#socket = socket;
    this.#options = options;
    socket.setNoDelay(true);
    // The timer of a waiting request keeps the process running; a connection never does.
    socket.unref();
    socket.on('end', () => this.#onEnd());
    socket.on('error', (error) => void (this.#failure ??= error));
    socket.on('close', () => this.#onClose());
  }

  get load(): number {
    return this.#pending.length;
  }

  /** True when a request may be sent after the pending ones. */
  get isFree(): boolean {
    const isOpen = !this.#isEnding && !this.#socket.destroyed;
    return isOpen && this.load < this.#options.pipelining && this.#pending.every((one) => one.isRepeatable);
  }

  /** True when the other side may have closed the idle connection. */
  isStale(nowMs: number): boolean {
    return nowMs >= this.#idleUntil;
  }

  send(exchange: Exchange): void {
    const { head, body, encoding } = exchange.request;
    this.#idleUntil = Infinity;
    exchange.connection = this;
    this.#pending.push(exchange);
    if (this.#options.pipelining > 1) {
      // Requests of one tick go out together.
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    if (encoding === undefined) {
      this.#socket.cork();
      this.#socket.write(head, 'latin1');
      this.#socket.write(body, 'utf8');
      this.#socket.uncork();
    } else {
      this.#socket.write(head + body, encoding);
    }
  }

  /** Stops waiting for a response. The requests after it keep theirs, and no more are sent. */
  abandon(exchange: Exchange): void {
    if (this.#pending.every((one) => one === exchange)) {
      this.destroy();
    } else {
      this.#isEnding = true;
    }
  }

  destroy(error?: Error): void {
    this.#failure ??= error;
    this.#isEnding = true;
    this.#socket.destroy();
  }

  #onData(bytes: Buffer): void {
    if (this.#socket.destroyed) {
      return;
    }
    this.#reader.push(bytes);
    try {
      this.#readResponses();
    } catch (error) {
      const [failed] = this.#pending.splice(0, 1);
      const failure = Error.isError(error) ? error : new Error('the answer cannot be read', { cause: error });
      this.destroy(new Error('the connection cannot be used any more', { cause: failure }));
      failed?.onFailure(failure, false);
    }
  }

  #readResponses(): void {
    for (;;) {
      const exchange = this.#pending[0];
      if (exchange === undefined) {
        break;
      }
      const response = this.#reader.next(exchange.maxBodyBytes);
      if (response === undefined) {
        return;
      }
      this.#take(exchange, response);
      if (this.#socket.destroyed) {
        return;
      }
    }
    if (this.#reader.hasBegun) {
      this.destroy(new Error('the other side sent unrequested data'));
    } else if (this.#isEnding) {
      this.destroy();
    } else {
      this.#options.onIdle();
    }
  }

  #take(exchange: Exchange, response: Response): void {
    this.#pending.shift();
    this.#answered += 1;
    const { isLast, keepAliveMs = maxIdleMs } = response.head;
    // An answer that came before the end of its request, or one whose end nobody awaits, leaves the connection in the middle.
    const isInTheMiddle = !response.isComplete || this.#socket.writableLength > 0;
    if (isLast || isInTheMiddle) {
      this.destroy();
    } else if (this.load === 0) {
      this.#idleUntil = Date.now() + Math.min(maxIdleMs, keepAliveMs - keepAliveMarginMs);
    }
    exchange.onResponse(response);
  }

  #onEnd(): void {
    const [exchange] = this.#pending;
    const response = exchange && this.#reader.end();
    if (exchange !== undefined && response !== undefined) {
      this.#take(exchange, response);
    }
    this.destroy();
  }

  #onClose(): void {
    this.#options.onClosed();
    const wasUsed = this.#answered > 0;
    const hasBegun = this.#reader.hasBegun;
    const failure = this.#failure ?? new Error('the other side closed the connection');
    for (const [index, exchange] of this.#pending.splice(0).entries()) {
      exchange.onFailure(failure, wasUsed && !(index === 0 && hasBegun));
    }
  }
}
