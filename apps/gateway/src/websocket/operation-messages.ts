import type { HttpResponse, ServeExchange } from '@meridian/http';
import { isRecord } from '@meridian/settings/values';

import type { ClientStream } from '../streams/client-stream.ts';
import type { OperationHead } from '../http/operation-exchange.ts';
import { OperationExchange } from '../http/operation-exchange.ts';

/** An operation of a client, on its connection. */
export interface SocketOperation {
  readonly id: string;
  readonly head: OperationHead;
  /** The request, as a POST has it. */
  readonly body: Buffer;
  /** Sends a message; resolves when the system has taken it. */
  readonly send: (message: string) => Promise<void>;
  /** Keeps the library from sending `complete`. */
  readonly suppressComplete: () => void;
}

/**
 * Runs an operation through the pipeline, and sends its messages. It is an iterator of the library `graphql-ws` that never
 * yields: the library would parse the results, and write them again.
 */
export class OperationMessages implements AsyncIterableIterator<never, void, void> {
  readonly #operation: SocketOperation;
  readonly #exchange: OperationExchange;
  readonly #serve: ServeExchange;
  #stream: ClientStream | undefined;
  #hasLeft = false;

  constructor(operation: SocketOperation, serve: ServeExchange) {
    this.#operation = operation;
    this.#exchange = new OperationExchange(operation.head, operation.body);
    this.#serve = serve;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Resolves at the end of the operation. */
  async next(): Promise<IteratorReturnResult<undefined>> {
    void this.#serve(this.#exchange);
    const response = await this.#exchange.response;
    if (response === undefined || this.#hasLeft) {
      this.#exchange.end();
    } else if (isSubscription(response)) {
      await this.#sendEvents(response.stream);
    } else {
      await this.#sendResult(response);
    }
    return { done: true, value: undefined };
  }

  /** The client has left the operation, or the connection. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#hasLeft = true;
    this.#exchange.end();
    await this.#stream?.return();
    return { done: true, value: undefined };
  }

  async #sendEvents(stream: ClientStream): Promise<void> {
    this.#stream = stream;
    for await (const message of stream) {
      if (message.kind === 'next') {
        await this.#send('next', message.json);
      } else if (message.kind === 'position') {
        await this.#sendPosition(message.position);
      } else if (message.kind === 'error') {
        await this.#sendErrors(message.json);
      } else if (message.kind === 'away') {
        // The connection is closed next, after which clients connect again.
        this.#operation.suppressComplete();
      }
    }
    this.#exchange.end(this.#hasLeft ? undefined : 200);
  }

  async #sendResult({ status, body }: HttpResponse): Promise<void> {
    const json =
      typeof body === 'string' ? body : Buffer.from(body instanceof Uint8Array ? body : []).toString();
    const errors = status === 200 && !json.startsWith('{"errors"') ? undefined : errorsOf(json);
    if (errors === undefined) {
      await this.#send('next', json);
    } else {
      await this.#sendErrors(JSON.stringify(errors));
    }
    this.#exchange.end(status);
  }

  async #sendErrors(json: string): Promise<void> {
    this.#operation.suppressComplete();
    await this.#send('error', json);
  }

  /** Clients reply to a ping with a pong, and ignore its payload unless they know it. */
  async #sendPosition(cursor: string): Promise<void> {
    const { id, send } = this.#operation;
    await send(JSON.stringify({ type: 'ping', payload: { id, cursor } }));
  }

  async #send(type: 'next' | 'error', json: string): Promise<void> {
    const { id, send } = this.#operation;
    await send(`{"id":${JSON.stringify(id)},"type":"${type}","payload":${json}}`);
  }
}

function isSubscription(
  response: HttpResponse,
): response is HttpResponse & { readonly stream: ClientStream } {
  return 'stream' in response;
}

/** The errors of a rejected request; undefined for a result, which has data, or null in its place. */
function errorsOf(json: string): unknown {
  const response: unknown = JSON.parse(json);
  return isRecord(response) && !('data' in response) ? response['errors'] : undefined;
}
