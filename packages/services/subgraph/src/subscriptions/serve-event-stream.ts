import type { IncomingMessage } from 'node:http';

import type { StopSignal } from '@meridian/cancellation';
import { requestContext, sendResponse, signalOf } from '@meridian/http';
import type { BodyInParts, Middleware } from '@meridian/http';
import type { FormattedExecutionResult } from 'graphql';

import { readGraphqlBody, requesterOf } from '../server/serve-graphql.ts';
import type { Rejection, Subscriptions } from './open-subscription.ts';
import { ResultStream } from './result-stream.ts';

/** The time between two comments, which keep proxies from closing the connection. */
const commentEveryMs = 12_000;

/** True for a request for a subscription by server-sent events. */
export function wantsEventStream({ headers: { accept } }: IncomingMessage): boolean {
  return accept?.toLowerCase().startsWith('text/event-stream') === true;
}

/**
 * Serves subscriptions by server-sent events, after `requestDeadline` and `authenticate`: the cursor at which the stream
 * begins, as an `id` without an event, then an event `next` for each result, then `complete`. A service that stops ends the body without `complete`: the client goes on elsewhere.
 * graphql-sse: PROTOCOL.md, distinct connections mode.
 */
export function serveEventStream(subscriptions: Subscriptions, stopping: StopSignal | undefined): Middleware {
  return async (request, response) => {
    const body = await readGraphqlBody(request);
    const requester = requesterOf(request);
    const opened = await subscriptions.open(body, requester);
    if (!(opened instanceof ResultStream)) {
      sendResponse(request, response, {
        status: 400,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ errors: opened }),
      });
      return;
    }
    signalOf(request).endDeadline();
    sendResponse(request, response, {
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
      body: new EventStream(opened, (error) => subscriptions.failureOf(error, requester), stopping),
    });
    requestContext(request).measure(200);
  };
}

/** A stream of results as the body of a response. */
class EventStream implements BodyInParts, AsyncIterator<string, undefined> {
  readonly #results: ResultStream;
  readonly #failureOf: (error: unknown) => Rejection;
  readonly #stopping: StopSignal | undefined;
  readonly #comments: NodeJS.Timeout;
  readonly #stop = (): void => {
    this.#isStopping = true;
    void this.return();
  };
  /** Text that is to be sent. */
  #ready = '';
  #isReading = false;
  #isOver = false;
  #isStopping = false;
  #wake: () => void = () => {};

  constructor(
    results: ResultStream,
    failureOf: (error: unknown) => Rejection,
    stopping: StopSignal | undefined,
  ) {
    this.#results = results;
    this.#ready = results.cursor === undefined ? '' : `id: ${results.cursor}\n\n`;
    this.#failureOf = failureOf;
    this.#stopping = stopping;
    this.#comments = setInterval(() => {
      if (this.#ready === '') {
        this.#add(':\n\n');
      }
    }, commentEveryMs);
    stopping?.addEventListener('abort', this.#stop);
    if (stopping?.aborted === true) {
      this.#stop();
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    while (this.#ready === '' && !this.#isOver) {
      if (!this.#isReading) {
        this.#isReading = true;
        void this.#read();
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#ready;
    this.#ready = '';
    return value === '' ? { done: true, value: undefined } : { done: false, value };
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#end();
    await this.#results.return();
    return { done: true, value: undefined };
  }

  /** Reads one result: the next one when this one is sent. */
  async #read(): Promise<void> {
    try {
      const result = await this.#results.next();
      if (result.done === true) {
        this.#add(this.#isStopping ? '' : complete);
        this.#end();
      } else {
        this.#add(next(result.value));
      }
    } catch (error) {
      this.#add(next({ errors: this.#failureOf(error) }) + complete);
      this.#end();
    } finally {
      this.#isReading = false;
    }
  }

  #add(text: string): void {
    if (!this.#isOver) {
      this.#ready += text;
      this.#wake();
    }
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#comments);
    this.#stopping?.removeEventListener('abort', this.#stop);
    this.#wake();
  }
}

const complete = 'event: complete\ndata:\n\n';

function next(result: FormattedExecutionResult): string {
  return `event: next\ndata: ${JSON.stringify(result)}\n\n`;
}
