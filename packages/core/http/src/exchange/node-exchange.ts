import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { HttpResponse } from './http-response.ts';
import { sendResponse } from './http-response.ts';
import type { ReadBodyOptions } from './read-body.ts';
import { readBody } from './read-body.ts';
import { clientClosedStatus, failedBodyStatus } from './exchange.ts';
import type { EndListener, Exchange, ServeExchange } from './exchange.ts';

/** Makes a request listener of `node:http` that serves each request as an exchange. */
export function exchangeListener(serve: ServeExchange): RequestListener {
  return (request, response) => void serve(new NodeExchange(request, response));
}

class NodeExchange implements Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get url(): string {
    return this.#request.url ?? '';
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  get peer(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  readBody(options: ReadBodyOptions): Buffer | Promise<Buffer> {
    return readBody(this.#request, options);
  }

  openBody(): IncomingMessage {
    return this.#request;
  }

  send(response: HttpResponse, fields: readonly string[]): void {
    sendResponse(this.#request, this.#response, response, fields);
  }

  destroy(): void {
    this.#response.destroy();
  }

  onEnd(listener: EndListener): void {
    const response = this.#response;
    if (response.closed) {
      listener(finalStatus(response), failureOf(response));
    } else {
      response.on('close', () => listener(finalStatus(response), failureOf(response)));
    }
  }
}

/** The final status of a closed response. */
export function finalStatus(response: ServerResponse): number {
  if (response.writableFinished) {
    return response.statusCode;
  }
  return failureOf(response) === undefined ? clientClosedStatus : failedBodyStatus;
}

/** The error for which a body in parts broke off. */
function failureOf({ errored }: ServerResponse): Error | undefined {
  return errored ?? undefined;
}
