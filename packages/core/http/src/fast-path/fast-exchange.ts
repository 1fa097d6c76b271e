import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';

import { dropParts } from '../exchange/body-in-parts.ts';
import type { EndListener, Exchange } from '../exchange/exchange.ts';
import type { HttpResponse } from '../exchange/http-response.ts';
import type { ReadBodyOptions } from '../exchange/read-body.ts';
import { bodyOverCap, stopped } from '../exchange/read-body.ts';
import type { PlainHead } from './plain-head.ts';

/** The connection of a fast exchange. */
export interface ExchangeConnection {
  readonly peer: string | undefined;
  respond(response: HttpResponse, fields: readonly string[]): void;
  destroy(): void;
}

/** A plain request, which has arrived completely. */
export class FastExchange implements Exchange {
  readonly #connection: ExchangeConnection;
  readonly #head: PlainHead;
  readonly #body: Buffer;
  #onEnd: EndListener | undefined = undefined;
  /** All but the first, in order. */
  #furtherOnEnd: EndListener[] | undefined = undefined;
  #isSent = false;
  /** The status with which it has ended. */
  #finalStatus: number | undefined = undefined;
  #failure: unknown = undefined;

  constructor(connection: ExchangeConnection, head: PlainHead, body: Buffer) {
    this.#connection = connection;
    this.#head = head;
    this.#body = body;
  }

  get method(): string {
    return this.#head.method;
  }

  get url(): string {
    return this.#head.url;
  }

  get headers(): Readonly<IncomingHttpHeaders> {
    return this.#head.headers;
  }

  get peer(): string | undefined {
    return this.#connection.peer;
  }

  readBody({ maxBytes, signal }: ReadBodyOptions): Buffer {
    if (this.#body.length > maxBytes) {
      throw bodyOverCap(maxBytes);
    }
    if (signal.aborted) {
      throw stopped(signal);
    }
    return this.#body;
  }

  openBody(): Readable {
    return Readable.from(this.#body);
  }

  /** @throws {Error} when a response was sent before: on this connection it would answer another request */
  send(response: HttpResponse, fields: readonly string[]): void {
    if (this.#isSent) {
      throw new Error('The request has its response already');
    }
    if (this.#finalStatus === undefined) {
      this.#connection.respond(response, fields);
      this.#isSent = true;
    } else {
      dropParts(response.body);
    }
  }

  destroy(): void {
    // Once it has ended, the connection is another request's.
    if (this.#finalStatus === undefined) {
      this.#connection.destroy();
    }
  }

  onEnd(listener: EndListener): void {
    if (this.#finalStatus !== undefined) {
      listener(this.#finalStatus, this.#failure);
    } else if (this.#onEnd === undefined) {
      this.#onEnd = listener;
    } else if (this.#furtherOnEnd === undefined) {
      this.#furtherOnEnd = [listener];
    } else {
      this.#furtherOnEnd.push(listener);
    }
  }

  /** Called by the connection, once. */
  end(status: number, failure?: unknown): void {
    this.#finalStatus = status;
    this.#failure = failure;
    this.#onEnd?.(status, failure);
    this.#furtherOnEnd?.forEach((listener) => listener(status, failure));
  }
}
