import type { IncomingHttpHeaders } from 'node:http';

import type { EndListener, Exchange, HttpResponse, ReadBodyOptions } from '@meridian/http';

import { requestError } from '../errors/request-error.ts';

interface ExchangeChanges {
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body?: Buffer | undefined;
  readonly url?: string;
}

/** A request with another query, other header fields or another body than it arrived with, as code at a stage has changed or read it. */
export class ChangedExchange implements Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly peer: string | undefined;
  readonly #original: Exchange;
  /** Without content coding; undefined where nothing has read it yet. */
  readonly #body: Buffer | undefined;

  constructor(original: Exchange, { headers, body, url = original.url }: ExchangeChanges) {
    this.method = original.method;
    this.url = url;
    this.peer = original.peer;
    this.#original = original;
    this.#body = body;
    if (body === undefined) {
      this.headers = headers;
    } else {
      const { 'content-encoding': _coding, ...decoded } = headers;
      this.headers = decoded;
    }
  }

  /** @throws {RequestError} PAYLOAD_TOO_LARGE */
  readBody(options: ReadBodyOptions): Buffer | Promise<Buffer> {
    const body = this.#body;
    if (body === undefined) {
      return this.#original.readBody(options);
    }
    if (body.length > options.maxBytes) {
      throw requestError('PAYLOAD_TOO_LARGE', `The body is over ${options.maxBytes} bytes`);
    }
    options.counter?.count(body.length);
    return body;
  }

  send(response: HttpResponse, fields: readonly string[]): void {
    this.#original.send(response, fields);
  }

  destroy(): void {
    this.#original.destroy();
  }

  onEnd(listener: EndListener): void {
    this.#original.onEnd(listener);
  }
}
