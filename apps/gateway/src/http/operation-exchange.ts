import type { IncomingHttpHeaders } from 'node:http';

import type { EndListener, Exchange, HttpResponse, ReadBodyOptions } from '@meridian/http';
import { clientClosedStatus } from '@meridian/http';

import { requestError } from '../errors/request-error.ts';
import type { RequestStages } from '../stages/request-stages.ts';

export interface OperationHead {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly peer: string | undefined;
  readonly batch?: RequestStages | undefined;
}

/** An operation over a WebSocket, served as a request of its own: with the same pipeline, log line and metrics. */
export class OperationExchange implements Exchange {
  readonly method = 'POST';
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly peer: string | undefined;
  /** Undefined where there is none. */
  readonly response: Promise<HttpResponse | undefined>;
  /** The stages of the batch that it belongs to; undefined for one that belongs to none, and where there are none. */
  readonly batch: RequestStages | undefined;
  readonly #body: Buffer;
  readonly #respond: (response: HttpResponse | undefined) => void;
  readonly #listeners: EndListener[] = [];
  #finalStatus: number | undefined;

  constructor({ url, headers, peer, batch }: OperationHead, body: Buffer) {
    this.url = url;
    this.headers = headers;
    this.peer = peer;
    this.batch = batch;
    this.#body = body;
    const { promise, resolve } = Promise.withResolvers<HttpResponse | undefined>();
    this.response = promise;
    this.#respond = resolve;
  }

  readBody({ maxBytes, signal, counter }: ReadBodyOptions): Buffer {
    signal.throwIfAborted();
    if (this.#body.length > maxBytes) {
      throw requestError('PAYLOAD_TOO_LARGE', `The message is over ${maxBytes} bytes`);
    }
    counter?.count(this.#body.length);
    return this.#body;
  }

  send(response: HttpResponse): void {
    this.#respond(response);
  }

  destroy(): void {
    this.#respond(undefined);
  }

  onEnd(listener: EndListener): void {
    if (this.#finalStatus === undefined) {
      this.#listeners.push(listener);
    } else {
      listener(this.#finalStatus);
    }
  }

  /** Called when the client has the whole response, or, without a status, when it has left. Once; later calls do nothing. */
  end(status: number = clientClosedStatus): void {
    if (this.#finalStatus === undefined) {
      this.#finalStatus = status;
      this.#listeners.forEach((listener) => listener(status));
    }
  }
}
