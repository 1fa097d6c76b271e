import { constants, performServerHandshake } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import type { ServeExchange } from '../exchange/exchange.ts';
import { newConnectionGraceMs } from '../server/connections.ts';
import { acceptedBytesOf, queuedBytesOf } from '../server/limit-output.ts';
import type { Output } from '../server/limit-output.ts';
import type { RequestGate } from '../server/request-gate.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { readHttp2Head } from './http2-message.ts';
import type { Http2HeadLimits } from './http2-message.ts';

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_REFUSED_STREAM } = constants;

export interface Http2Options {
  readonly serve: ServeExchange;
  readonly gate: RequestGate;
  readonly limits: Http2HeadLimits;
  /** The longest time until a request has arrived, in milliseconds, as in HTTP/1.1. */
  readonly maxReceivingMs: number;
  /** Watches a response on its way out. The returned function ends that. */
  readonly watchOutput: (output: Output) => () => void;
  /** Responds to a request that is rejected before `serve`. */
  readonly refuse: (exchange: Http2Exchange, fault: Problem) => void;
  /** True when each connection takes no further requests. */
  readonly isClosing: () => boolean;
  readonly onClose: (connection: Http2Connection) => void;
}

/** The most requests of a connection at a time. Announced to clients, which wait. */
const maxStreams = 100;
/**
 * The most bytes of the heads of requests under way on a connection: the same as a connection of HTTP/1.1 may take.
 * Bodies that are not read yet have a window of 64 KiB for a whole connection.
 */
const maxWaitingHeadBytes = 262_144;
/** The time without a response until a client with open requests is asked, and from then on until its connection ends. */
const pingEveryMs = 15_000;
/** More than a ping takes, with its record of TLS. */
const pingBytes = 200;

/**
 * The work that a client may cause without a use for it: to end requests before their responses, and to send frames that only ask for
 * acknowledgements. A browser that leaves a page ends some dozens of requests. A connection that does more is ended.
 *
 * CVE-2023-44487 (rapid reset), CVE-2025-8671 (resets that the client provokes), CVE-2019-9512 and CVE-2019-9515
 * (floods of pings and settings).
 */
const idleWork = { burst: 200, perSecond: 20 } as const;

/** A connection with HTTP/2. */
export class Http2Connection {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #options: Http2Options;
  readonly #open = new Set<Http2Exchange>();
  #headBytes = 0;
  #hasServed = false;
  /** The time of the end of the latest request, or of the start. By `performance.now`. */
  #idleSinceMs = performance.now();
  #allowance: number = idleWork.burst;
  #countedMs = performance.now();
  /** The ping that has no response yet. */
  #ping: { readonly sentMs: number; readonly acceptedBytes: number } | undefined;
  #respondedMs = performance.now();

  constructor(socket: Socket, options: Http2Options) {
    this.#socket = socket;
    this.#options = options;
    this.#session = performServerHandshake(socket, {
      settings: {
        maxConcurrentStreams: maxStreams,
        // A head over the limit still gets a response; one far over it ends its stream.
        maxHeaderListSize: 2 * options.limits.maxHeadBytes,
        enablePush: false,
      },
      maxHeaderListPairs: 2 * options.limits.maxFields,
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      streamResetBurst: idleWork.burst,
      streamResetRate: idleWork.perSecond,
    });
    // Besides its streams: a stream cannot end while the socket takes nothing.
    const endWatch = options.watchOutput({
      waitingBytes: () => queuedBytesOf(socket),
      acceptedBytes: () => acceptedBytesOf(socket),
      end: () => this.destroy(),
    });
    socket.once('close', endWatch);
    const count = (): void => this.#countIdleWork();
    this.#session
      .on('stream', (stream: ServerHttp2Stream, headers, _flags, rawHeaders) =>
        this.#serve(stream, headers, rawHeaders),
      )
      .on('ping', count)
      .on('remoteSettings', count)
      // The connection closes next.
      .on('error', () => {})
      .once('close', () => options.onClose(this));
  }

  #serve(stream: ServerHttp2Stream, fields: IncomingHttpHeaders, rawHeaders: readonly string[]): void {
    if (this.#open.size >= maxStreams) {
      // Node counts streams that are reset as ended at once, and their events come later.
      stream.on('error', () => {}).close(NGHTTP2_REFUSED_STREAM);
      this.#countIdleWork();
      return;
    }
    const { serve, gate, limits, watchOutput, refuse, isClosing } = this.#options;
    const head = readHttp2Head(fields, rawHeaders, limits);
    this.#headBytes += head.bytes;
    const exchange = new Http2Exchange(stream, head, {
      peer: this.#socket.remoteAddress,
      onClosed: (isComplete) => {
        endWatch();
        this.#open.delete(exchange);
        this.#headBytes -= head.bytes;
        this.#hasServed = true;
        this.#idleSinceMs = performance.now();
        if (!isComplete) {
          this.#countIdleWork();
        }
      },
    });
    const endWatch = watchOutput(exchange);
    this.#open.add(exchange);
    if (isClosing()) {
      this.announceClose();
    }
    const fault = head.fault ?? (this.#headBytes > maxWaitingHeadBytes ? tooManyHeads() : undefined);
    if (fault !== undefined) {
      refuse(exchange, fault);
      return;
    }
    if (head.headers.expect?.toLowerCase() === '100-continue') {
      stream.additionalHeaders({ ':status': 100 });
    }
    if (gate.isShut) {
      gate.pass(() => void serve(exchange));
    } else {
      void serve(exchange);
    }
  }

  /** Takes no further request: the client may send those that it has sent in vain again (RFC 9113 §6.8). */
  announceClose(): void {
    if (!this.#session.closed) {
      this.#session.close();
    }
  }

  /** True when no request has been under way for this long, and every byte of the responses is out. */
  isIdle(idleMs: number): boolean {
    const awaitedMs = this.#hasServed ? idleMs : Math.max(newConnectionGraceMs, idleMs);
    return (
      this.#open.size === 0 &&
      queuedBytesOf(this.#socket) === 0 &&
      performance.now() - this.#idleSinceMs >= awaitedMs
    );
  }

  /** Called now and then: ends a connection that no client uses, and requests that do not arrive. */
  checkTimes({ maxIdleMs, maxFirstMs }: { readonly maxIdleMs: number; readonly maxFirstMs: number }): void {
    const nowMs = performance.now();
    if (this.#open.size === 0) {
      if (nowMs - this.#idleSinceMs > (this.#hasServed ? maxIdleMs : maxFirstMs)) {
        this.destroy();
      }
      return;
    }
    if (!this.#isThere(nowMs)) {
      this.destroy();
      return;
    }
    for (const exchange of this.#open) {
      if (nowMs - exchange.startedMs > this.#options.maxReceivingMs && exchange.isReceiving) {
        exchange.end();
      }
    }
  }

  /**
   * False for a client that neither responds to a ping nor takes a byte for as long. Node does not notice each connection
   * that is reset.
   */
  #isThere(nowMs: number): boolean {
    const acceptedBytes = acceptedBytesOf(this.#socket);
    if (this.#ping === undefined) {
      if (nowMs - this.#respondedMs > pingEveryMs && !this.#session.destroyed) {
        this.#ping = { sentMs: nowMs, acceptedBytes };
        this.#session.ping((error) => {
          if (error === null) {
            this.#ping = undefined;
            this.#respondedMs = performance.now();
          }
        });
      }
      return true;
    }
    // A ping is sent after all that the client has not read.
    if (acceptedBytes > this.#ping.acceptedBytes + pingBytes) {
      this.#ping = { sentMs: nowMs, acceptedBytes };
    }
    return nowMs - this.#ping.sentMs < pingEveryMs;
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #countIdleWork(): void {
    const nowMs = performance.now();
    const gained = ((nowMs - this.#countedMs) / 1000) * idleWork.perSecond;
    this.#countedMs = nowMs;
    this.#allowance = Math.min(idleWork.burst, this.#allowance + gained) - 1;
    if (this.#allowance < 0 && !this.#session.destroyed) {
      this.#session.goaway(NGHTTP2_ENHANCE_YOUR_CALM);
      this.#session.destroy();
    }
  }
}

function tooManyHeads(): Problem {
  return problem(
    'unavailable',
    `More than ${maxWaitingHeadBytes} bytes of header fields of the connection wait for responses.`,
  );
}
