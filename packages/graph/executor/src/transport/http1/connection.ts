import type { Socket } from 'node:net';

import type { RequestText } from './request-text.ts';
import type { Response } from './response-reader.ts';
import { ResponseReader } from './response-reader.ts';

/** A request and its outcome: one of the two calls, once. */
export interface Exchange {
  readonly request: RequestText;
  readonly maxBodyBytes: number;
  /** True when `ResponseHead.text` is read. */
  readonly readsFields: boolean;
  /** The connection that it was sent on. */
  connection: Connection | undefined;
  onResponse(response: Response): void;
  /** @param isLost true when the other side closed a kept connection without a byte of a response */
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
  /** Called when the next request may be sent. */
  readonly onIdle: () => void;
  /** @param isLost as in `Exchange.onFailure` */
  readonly onClosed: (isLost: boolean) => void;
}

/** The longest time that an idle connection is kept; the other side may announce a shorter one. */
const maxIdleMs = 15_000;
/** The other side may already be closing it. */
const keepAliveMarginMs = 1000;

/** One connection, and the request that is on it. */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #reader = new ResponseReader();
  #exchange: Exchange | undefined;
  /** The time of the last response; not set on a new connection. */
  #usedMs: number | undefined;
  /** Set by this side, which has given up on the request. */
  #isDestroyed = false;
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

  /** True when the other side may have closed the idle connection. */
  isStale(nowMs: number): boolean {
    return this.#socket.destroyed || nowMs >= this.#idleUntil;
  }

  /** True unless it was used after another one was last used. */
  isAsOldAs(other: Connection): boolean {
    return (this.#usedMs ?? Infinity) <= (other.#usedMs ?? -Infinity);
  }

  /** Sends a request. No other one is on the connection. */
  send(exchange: Exchange): void {
    const { text, encoding, body } = exchange.request;
    this.#idleUntil = Infinity;
    exchange.connection = this;
    this.#exchange = exchange;
    if (body === undefined) {
      this.#socket.write(text, encoding);
    } else {
      this.#socket.cork();
      this.#socket.write(text, encoding);
      this.#socket.write(body, 'utf8');
      this.#socket.uncork();
    }
  }

  destroy(error?: Error): void {
    this.#failure ??= error;
    this.#isDestroyed = true;
    this.#socket.destroy();
  }

  #onData(bytes: Buffer): void {
    if (this.#socket.destroyed) {
      return;
    }
    this.#reader.push(bytes);
    try {
      this.#readResponse();
    } catch (error) {
      const failed = this.#exchange;
      this.#exchange = undefined;
      const failure =
        error instanceof Error ? error : new Error('the response cannot be read', { cause: error });
      this.destroy(new Error('the connection cannot be used any more', { cause: failure }));
      failed?.onFailure(failure, false);
    }
  }

  #readResponse(): void {
    const exchange = this.#exchange;
    if (exchange !== undefined) {
      const response = this.#reader.next(exchange.maxBodyBytes, exchange.readsFields);
      if (response === undefined) {
        return;
      }
      this.#take(exchange, response);
    }
    if (this.#socket.destroyed) {
      return;
    }
    if (this.#reader.hasBegun) {
      this.destroy(new Error('the other side sent unrequested data'));
    } else {
      this.#options.onIdle();
    }
  }

  #take(exchange: Exchange, response: Response): void {
    this.#exchange = undefined;
    this.#usedMs = performance.now();
    const { isLast, keepAliveMs = maxIdleMs } = response.head;
    // A response that came before the end of its request, or whose rest is not read, leaves the connection unusable.
    const isInTheMiddle = !response.isComplete || this.#socket.writableLength > 0;
    if (isLast || isInTheMiddle) {
      this.destroy();
    } else {
      this.#idleUntil = this.#usedMs + Math.min(maxIdleMs, keepAliveMs - keepAliveMarginMs);
    }
    exchange.onResponse(response);
  }

  #onEnd(): void {
    const exchange = this.#exchange;
    const response = exchange && this.#reader.end();
    if (exchange !== undefined && response !== undefined) {
      this.#take(exchange, response);
    }
    this.#socket.destroy();
  }

  #onClose(): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    const isKept = this.#usedMs !== undefined;
    const isLost = exchange !== undefined && isKept && !this.#reader.hasBegun && !this.#isDestroyed;
    this.#options.onClosed(isLost);
    const failure = this.#failure ?? new Error('the other side closed the connection');
    exchange?.onFailure(failure, isLost);
  }
}
