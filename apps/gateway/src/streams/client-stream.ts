import type { SubscriptionEvent, SubscriptionStream } from '@meridian/executor';
import { ClientDisconnected } from '@meridian/http';

import type { StreamEnd } from '../telemetry/request-notes.ts';

/** The next thing that a client of a subscription gets. */
export type StreamMessage =
  | {
      readonly kind: 'next';
      /** The response to the client for one event, as JSON. */
      readonly json: string;
      /** Of the event in the log of its subgraph. */
      readonly position: string | undefined;
    }
  /** The position of the stream, before its first event. */
  | { readonly kind: 'position'; readonly position: string }
  /** Nothing has happened for a while. */
  | { readonly kind: 'heartbeat' }
  /** The gateway ends the subscription with these errors, a JSON list. */
  | { readonly kind: 'error'; readonly json: string }
  /** The subscription has ended. */
  | { readonly kind: 'complete' }
  /** The gateway stops: the subscription goes on where the client subscribes again. */
  | { readonly kind: 'away' };

export interface ClientStreamOptions {
  readonly events: SubscriptionStream;
  /** Writes the response for an event, or the position of the stream. */
  readonly write: (event: SubscriptionEvent) => Promise<StreamMessage>;
  /** The last event of a stream that fails. */
  readonly failed: (error: unknown) => StreamMessage;
  /** The last message of a stream that ends for another reason. */
  readonly ended: (reason: StreamEnd) => StreamMessage;
  /** By `Date.now`; undefined for a caller without a token. */
  readonly expiresAtMs: number | undefined;
  /** From now on; undefined for no limit. */
  readonly maxLifetimeMs: number | undefined;
  /** Called once. */
  readonly onEnd: (reason: StreamEnd) => void;
}

/**
 * The messages of one subscription, for one client. The next event is asked for when the client takes it: what it is too
 * slow for waits in the bounded queue of the subgraph's stream, or is dropped there.
 *
 * Not a generator: one that waits for an event would notice neither its end nor a heartbeat.
 */
export class ClientStream implements AsyncIterableIterator<StreamMessage, void, void> {
  readonly #options: ClientStreamOptions;
  readonly #events: AsyncIterator<SubscriptionEvent>;
  #waiting: ((message: StreamMessage) => void) | undefined;
  /** Messages that came while the client did not wait: at most an event, and the end. */
  readonly #ready: StreamMessage[] = [];
  #isReading = false;
  #hasEnded = false;
  readonly #openedMs = performance.now();
  #latestMs = this.#openedMs;

  constructor(options: ClientStreamOptions) {
    this.#options = options;
    this.#events = options.events[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<StreamMessage, void>> {
    return this.nextAs((message) => message);
  }

  /** The next message in another form. One promise for a stream that may wait for long. */
  nextAs<Form>(form: (message: StreamMessage) => Form): Promise<IteratorResult<Form, void>> {
    const ready = this.#ready.shift();
    if (ready !== undefined) {
      return Promise.resolve({ done: false, value: form(ready) });
    }
    if (this.#hasEnded) {
      return Promise.resolve({ done: true, value: undefined });
    }
    return new Promise((resolve) => {
      this.#waiting = (message) => resolve({ done: false, value: form(message) });
      if (!this.#isReading) {
        void this.#read();
      }
    });
  }

  /** The client has left. */
  return(): Promise<IteratorResult<StreamMessage, void>> {
    this.#ready.length = 0;
    this.end('client_disconnect');
    this.#ready.length = 0;
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the stream, once. */
  end(reason: StreamEnd): void {
    if (this.#hasEnded) {
      return;
    }
    this.#hasEnded = true;
    void Promise.resolve(this.#events.return?.()).catch(() => {});
    this.#options.onEnd(reason);
    this.#deliver(this.#options.ended(reason));
  }

  /** Called now and then. */
  check(nowMs: number, heartbeatMs: number): void {
    const { maxLifetimeMs } = this.#options;
    if (this.#hasExpired()) {
      this.end('token_expired');
    } else if (maxLifetimeMs !== undefined && nowMs - this.#openedMs >= maxLifetimeMs) {
      this.end('max_lifetime');
    } else if (this.#waiting !== undefined && nowMs - this.#latestMs >= heartbeatMs) {
      this.#deliver({ kind: 'heartbeat' });
    }
  }

  #hasExpired(nowMs = Date.now()): boolean {
    const { expiresAtMs } = this.#options;
    return expiresAtMs !== undefined && nowMs >= expiresAtMs;
  }

  /** A subgraph that has the token may end its stream first, by a clock that is up to a second ahead. */
  #hasExpiredThere(): boolean {
    return this.#hasExpired(Date.now() + 1000);
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      const next = await this.#events.next();
      if (next.done === true) {
        this.end(this.#hasExpiredThere() ? 'token_expired' : 'server_close');
        return;
      }
      const message = await this.#options.write(next.value);
      if (!this.#hasEnded) {
        this.#deliver(message);
      }
    } catch (error) {
      if (error instanceof ClientDisconnected) {
        this.end('client_disconnect');
      } else if (this.#hasExpiredThere()) {
        this.end('token_expired');
      } else if (!this.#hasEnded) {
        this.#deliver(this.#options.failed(error));
        this.end('subgraph_error');
      }
    } finally {
      this.#isReading = false;
      if (this.#waiting !== undefined && !this.#hasEnded) {
        // A heartbeat took the turn of the event before it.
        void this.#read();
      }
    }
  }

  #deliver(message: StreamMessage): void {
    this.#latestMs = performance.now();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) {
      this.#ready.push(message);
    } else {
      waiting(message);
    }
  }
}
