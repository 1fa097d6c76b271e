import { DeadlineExceeded } from '@meridian/http';
import type { FormattedExecutionResult } from 'graphql';

import { ClientError } from '../errors/client-error.ts';
import type { SubscriptionEvent } from './subscription-event.ts';

export interface ResultStreamOptions {
  readonly source: AsyncIterator<SubscriptionEvent<unknown>>;
  /** The place at which the source begins; undefined where it has none. */
  readonly cursor: string | undefined;
  /** Executes the operation for one event. */
  readonly execute: (value: unknown, signal: AbortSignal) => Promise<FormattedExecutionResult>;
  /** The time that the resolvers of one event have. */
  readonly eventDeadlineMs: number;
  /** The token's `exp`: seconds since the epoch. */
  readonly expiresAt: number;
  /** Called once, at the end, for whatever reason. */
  readonly onEnd: () => void;
}

type Result = IteratorResult<FormattedExecutionResult, undefined>;

/** The longest time of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * The results of a subscription, one for each event, executed when its consumer asks for it. `next()` rejects with a
 * `ClientError` once the token has expired, and with the source's error if that fails. `return()` ends it at once, also
 * while `next()` is pending.
 */
export class ResultStream implements AsyncIterableIterator<FormattedExecutionResult, undefined> {
  /** The place at which it begins; undefined where its source has none. */
  readonly cursor: string | undefined;
  readonly #options: ResultStreamOptions;
  readonly #expiry: NodeJS.Timeout;
  /** Aborts what the resolvers of the current event do. */
  #event: AbortController | undefined;
  #pending: PromiseWithResolvers<Result> | undefined;
  #isOver = false;
  /** The reason of an end between two calls of `next()`, until the next one. */
  #failure: { readonly error: unknown } | undefined;

  constructor(options: ResultStreamOptions) {
    this.#options = options;
    this.cursor = options.cursor;
    // A little late, as timers may be early: the token has expired when a client comes again.
    const leftMs = options.expiresAt * 1000 - Date.now() + 10;
    this.#expiry = setTimeout(
      () => {
        const error = new ClientError(
          'SUBSCRIPTION_JWT_EXPIRED',
          'The token of the subscription has expired',
        );
        this.#end({ error });
      },
      Math.min(Math.max(leftMs, 0), maxTimerMs),
    );
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.#isOver) {
      return this.#ended();
    }
    const pending = Promise.withResolvers<Result>();
    this.#pending = pending;
    void this.#settle(pending);
    return pending.promise;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  async #settle(pending: PromiseWithResolvers<Result>): Promise<void> {
    try {
      const value = await this.#read();
      if (value === undefined) {
        this.#end();
      } else if (this.#pending === pending) {
        this.#pending = undefined;
        pending.resolve({ done: false, value });
      }
    } catch (error) {
      this.#end({ error });
    }
  }

  /** The result of the next event; undefined at the end of the source. */
  async #read(): Promise<FormattedExecutionResult | undefined> {
    const { source, execute, eventDeadlineMs } = this.#options;
    const next = await source.next();
    if (next.done === true || this.#isOver) {
      return undefined;
    }
    const event = new AbortController();
    this.#event = event;
    const deadline = setTimeout(() => event.abort(new DeadlineExceeded(eventDeadlineMs)), eventDeadlineMs);
    try {
      const { value, cursor } = next.value;
      const result = await execute(value, event.signal);
      return cursor === undefined ? result : { ...result, extensions: { ...result.extensions, cursor } };
    } finally {
      clearTimeout(deadline);
      this.#event = undefined;
    }
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    this.#failure = failure;
    clearTimeout(this.#expiry);
    this.#event?.abort(new Error('the subscription has ended'));
    this.#options.onEnd();
    // It may be waiting for an event; nothing waits for it.
    this.#options.source.return?.().catch(() => {});
    this.#pending?.resolve(this.#ended());
    this.#pending = undefined;
  }

  /** The end, which fails once. */
  #ended(): Promise<Result> {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure === undefined
      ? Promise.resolve({ done: true, value: undefined })
      : Promise.reject(failure.error);
  }
}
