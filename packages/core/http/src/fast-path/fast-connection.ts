import type { Socket } from 'node:net';
import process from 'node:process';

import { dropParts, isWhole, sendParts } from '../exchange/body-in-parts.ts';
import type { BodyInParts, WholeBody } from '../exchange/body-in-parts.ts';
import type { HttpResponse } from '../exchange/http-response.ts';
import { closeRoom, withHead } from '../exchange/head-room.ts';
import { clientClosedStatus, failedBodyStatus } from '../exchange/exchange.ts';
import type { ServeExchange } from '../exchange/exchange.ts';
import { newConnectionGraceMs } from '../server/connections.ts';
import type { RequestGate } from '../server/request-gate.ts';
import type { ExchangeConnection } from './fast-exchange.ts';
import { FastExchange } from './fast-exchange.ts';
import { PlainHeadReader } from './plain-head-reader.ts';
import { mayBecomePlain } from './plain-head.ts';
import type { PlainHeadLimits } from './plain-head.ts';
import type { ResponseHeadWriter } from './response-text.ts';

export interface FastConnectionOptions {
  /** Serves plain requests: the first call of a request. */
  readonly serve: ServeExchange;
  readonly gate: RequestGate;
  /** Passes the connection on for good, with what has arrived and is not served yet. */
  readonly passOn: (socket: Socket, bytes: Buffer) => void;
  /** Called when the connection has closed, or is passed on. */
  readonly onLeave: (connection: FastConnection) => void;
  readonly heads: ResponseHeadWriter;
  readonly limits: PlainHeadLimits;
  /** True when each response from now on ends its connection. */
  readonly isClosing: () => boolean;
}

/** The limits of a connection, in milliseconds. */
export interface ConnectionTimes {
  /** Without a request, after a response. */
  readonly maxIdleMs: number;
  /** Until the first byte of a new connection. */
  readonly maxFirstByteMs: number;
}

/** The most bytes of a request that arrives in pieces. A longer one is passed on. */
const maxHeldBytes = 65_536;
/** The most bytes that are taken while a request is served. */
const maxEarlyBytes = 65_536;
/** The longest time that an incomplete request is held. It is passed on then, to Node's own limits. */
const maxHoldMs = 1000;
/** The time without a request after which a connection keeps nothing of the earlier ones. */
const maxMemoryMs = 1000;

/**
 * The largest body that is sent as one text with its head. Node encodes up to 16 KiB of a text on its stack; two pieces
 * take twice as long, and longer texts a buffer.
 */
const maxTextBytes = 12_288;
const noBytes = Buffer.alloc(0);

/**
 * A connection that brings plain requests, one at a time. With the first bytes that are anything else, it is passed on
 * to `node:http` for the rest of its life.
 */
export class FastConnection implements ExchangeConnection {
  readonly #socket: Socket;
  readonly #options: FastConnectionOptions;
  readonly #reader: PlainHeadReader;
  /** The request that is served. */
  #exchange: FastExchange | undefined;
  /** The beginning of the next request: all that has arrived, while the rest is awaited or an earlier one is served. */
  #held: Buffer | undefined;
  /** The time since when the connection waits: for a request, or for the rest of it. By `performance.now`. */
  #waitingSinceMs = performance.now();
  #hasServed = false;
  /** The status of the response after which the connection closes. */
  #closingStatus: number | undefined;
  /** The error for which a response in parts broke off. */
  #failure: unknown = undefined;

  constructor(socket: Socket, options: FastConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#reader = new PlainHeadReader(options.limits);
    socket
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onError)
      .on('close', this.#onClose);
  }

  get peer(): string | undefined {
    return this.#socket.remoteAddress;
  }

  respond(response: HttpResponse, fields: readonly string[]): void {
    const socket = this.#socket;
    const exchange = this.#exchange;
    if (exchange === undefined || socket.destroyed || socket.writableEnded) {
      // The client has left. The exchange ends with the connection.
      dropParts(response.body);
      return;
    }
    const { status, headers, body: given = noBytes } = response;
    const closes = this.#options.isClosing() || headers?.['Connection'] === 'close';
    const hasBody = status !== 204 && status !== 304;
    if (!isWhole(given)) {
      if (hasBody) {
        const head = this.#options.heads.write(response, fields, 'chunked', closes);
        this.#sendInParts(exchange, { head, parts: given, status, closes });
        return;
      }
      dropParts(given);
    }
    const body = isWhole(given) ? bytesOf(given) : noBytes;
    const bodyBytes = hasBody ? body.length : undefined;
    const head = this.#options.heads.write(response, fields, bodyBytes, closes);
    const joined = hasBody ? withHead(head, body) : undefined;
    if (joined !== undefined) {
      socket.write(joined);
      if (socket.writableLength > 0) {
        closeRoom(body);
      }
    } else if (!hasBody) {
      socket.write(head, 'latin1');
    } else if (body.length <= maxTextBytes) {
      // Latin-1 maps each byte to one character and back.
      socket.write(head + latin1Of(body), 'latin1');
    } else {
      socket.cork();
      socket.write(Buffer.from(head, 'latin1'));
      socket.write(body);
      socket.uncork();
    }
    this.#endResponse(exchange, status, closes);
  }

  /** Ends the exchange, or the connection, once all that was written is out. */
  #endResponse(exchange: FastExchange, status: number, closes: boolean): void {
    const socket = this.#socket;
    if (closes) {
      this.#closingStatus = status;
      socket.destroySoon();
    } else if (socket.writableLength === 0 && socket.errored === null) {
      this.#finish(exchange, status);
    } else {
      socket.write(noBytes, (error) => {
        if (!error) {
          this.#finish(exchange, status);
        }
      });
    }
  }

  #sendInParts(exchange: FastExchange, { head, parts, status, closes }: PartsResponse): void {
    const socket = this.#socket;
    this.#corkForNow();
    socket.write(head, 'latin1');
    void sendParts(parts, {
      stream: socket,
      write: (part) => this.#writeChunk(bytesOf(part)),
      end: () => {
        socket.write('0\r\n\r\n', 'latin1');
        this.#endResponse(exchange, status, closes || this.#options.isClosing());
      },
      fail: (error) => {
        this.#failure = error;
        socket.destroy();
      },
    });
  }

  /** Sends a chunk, RFC 9112 §7.1. False when the client must read first. */
  #writeChunk(bytes: Uint8Array): boolean {
    const socket = this.#socket;
    this.#corkForNow();
    const size = `${bytes.length.toString(16)}\r\n`;
    if (bytes.length <= maxTextBytes) {
      return socket.write(`${size}${latin1Of(bytes)}\r\n`, 'latin1');
    }
    socket.write(size, 'latin1');
    socket.write(bytes);
    return socket.write('\r\n', 'latin1');
  }

  /** As in Node, what is written before the next turn is sent together, such as a head and a part that is there. */
  #corkForNow(): void {
    const socket = this.#socket;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** True when no request has been under way for this long, or a little longer where the first is awaited. */
  isIdle(idleMs: number): boolean {
    const awaitedMs = this.#hasServed ? idleMs : Math.max(newConnectionGraceMs, idleMs);
    return this.#exchange === undefined && this.#held === undefined && this.#waitedMs() >= awaitedMs;
  }

  /**
   * Called now and then: ends a connection that no client uses, and passes a request on that does not arrive. An idle
   * connection keeps nothing of what it has brought.
   */
  checkTimes({ maxIdleMs, maxFirstByteMs }: ConnectionTimes): void {
    if (this.#exchange !== undefined) {
      return;
    }
    const waitedMs = this.#waitedMs();
    if (this.#held !== undefined) {
      if (waitedMs > maxHoldMs) {
        this.#passOn(this.#held);
      }
    } else if (waitedMs > (this.#hasServed ? maxIdleMs : maxFirstByteMs)) {
      this.#socket.destroy();
    } else if (waitedMs > maxMemoryMs) {
      this.#reader.forget();
    }
  }

  #waitedMs(): number {
    return performance.now() - this.#waitingSinceMs;
  }

  readonly #onData = (chunk: Buffer): void => {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    if (this.#exchange === undefined) {
      this.#read(bytes);
      return;
    }
    this.#held = bytes;
    if (bytes.length > maxEarlyBytes) {
      this.#socket.pause();
    }
  };

  #read(bytes: Buffer): void {
    const head = this.#reader.read(bytes);
    const requestBytes = head === undefined ? 0 : head.headBytes + head.bodyBytes;
    if (
      head === undefined ? mayBecomePlain(bytes) : bytes.length < requestBytes && requestBytes <= maxHeldBytes
    ) {
      this.#hold(bytes);
    } else if (head === undefined || bytes.length !== requestBytes) {
      // Not plain, too long to hold, or from a client that pipelines.
      this.#passOn(bytes);
    } else {
      this.#held = undefined;
      const exchange = new FastExchange(this, head, bytes.subarray(head.headBytes));
      this.#exchange = exchange;
      const { serve, gate } = this.#options;
      if (gate.isShut) {
        gate.pass(() => void serve(exchange));
      } else {
        void serve(exchange);
      }
    }
  }

  /** Holds the beginning of a request: the pieces of a long head, or of a body, arrive one after another. */
  #hold(bytes: Buffer): void {
    if (this.#held === undefined) {
      this.#waitingSinceMs = performance.now();
    }
    this.#held = bytes;
  }

  #finish(exchange: FastExchange, status: number): void {
    this.#exchange = undefined;
    this.#hasServed = true;
    this.#waitingSinceMs = performance.now();
    exchange.end(status);
    if (this.#held !== undefined && this.#socket.writable) {
      // The client sent its next request before it had this response.
      this.#passOn(this.#held);
    }
  }

  #passOn(bytes: Buffer): void {
    const socket = this.#socket;
    this.#held = undefined;
    socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose);
    this.#options.onLeave(this);
    this.#options.passOn(socket, bytes);
  }

  /** As in Node, a client that ends its side gives up its requests, except for the response that is being sent. */
  readonly #onEnd = (): void => {
    this.#socket.end();
  };

  /** The connection closes next. */
  readonly #onError = (): void => {};

  readonly #onClose = (): void => {
    this.#options.onLeave(this);
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (this.#failure !== undefined) {
      exchange?.end(failedBodyStatus, this.#failure);
      return;
    }
    exchange?.end(
      this.#socket.writableFinished ? (this.#closingStatus ?? clientClosedStatus) : clientClosedStatus,
    );
  };
}

/** A response in parts, with its head as it is sent. */
interface PartsResponse {
  readonly head: string;
  readonly parts: BodyInParts;
  readonly status: number;
  readonly closes: boolean;
}

function bytesOf(body: WholeBody): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function latin1Of(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString('latin1');
}
