import type { StopSignal } from '@meridian/cancellation';

import type { SubscriptionFailure } from '../../subscription-failure.ts';
import type { SubgraphEvent, SubgraphStream } from '../subgraph-transport.ts';

export interface EventQueueOptions {
  /** The most events that wait. */
  readonly capacity: number;
  /** Called when the oldest event is dropped for a new one. */
  readonly onDrop: () => void;
  /** Called once, when the consumer has left. */
  readonly onLeave: () => void;
}

type Result = IteratorResult<SubgraphEvent, undefined>;

/**
 * The events that wait for one consumer. A consumer that reads too slowly loses the oldest ones, and costs no more
 * memory than that.
 */
export class EventQueue implements SubgraphStream {
  readonly #options: EventQueueOptions;
  readonly #signal: StopSignal;
  readonly #abort = (): void => this.#leave(this.#signal.reason);
  #events: SubgraphEvent[] = [];
  #waiting: ReturnType<typeof Promise.withResolvers<Result>> | undefined;
  /** Once it has ended. */
  #end: { readonly failure: unknown } | undefined;

  /** @param signal ends it: it then rejects with the signal's reason */
  constructor(signal: StopSignal, options: EventQueueOptions) {
    this.#signal = signal;
    this.#options = options;
    signal.addEventListener('abort', this.#abort);
  }

  add(event: SubgraphEvent): void {
    if (this.#end !== undefined) {
      return;
    }
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ done: false, value: event });
      return;
    }
    if (this.#events.at(-1)?.response === undefined) {
      // The event has a newer position.
      this.#events.pop();
    } else if (this.#events.length === this.#options.capacity) {
      if (event.response === undefined) {
        return;
      }
      this.#events.shift();
      this.#options.onDrop();
    }
    this.#events.push(event);
  }

  /** Ends it after the events that wait. */
  end(failure: SubscriptionFailure | undefined): void {
    if (this.#end === undefined) {
      this.#endWith(failure);
    }
  }

  next(): Promise<Result> {
    const event = this.#events.shift();
    if (event !== undefined) {
      return Promise.resolve({ done: false, value: event });
    }
    if (this.#end !== undefined) {
      return this.#ended();
    }
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#leave(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  #leave(reason: unknown): void {
    this.#events = [];
    if (this.#end === undefined) {
      this.#endWith(reason);
      this.#options.onLeave();
    }
  }

  #endWith(failure: unknown): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#end = { failure };
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(this.#ended());
  }

  /** The end, which fails once. */
  #ended(): Promise<Result> {
    const failure = this.#end?.failure;
    this.#end = { failure: undefined };
    return failure === undefined
      ? Promise.resolve({ done: true, value: undefined })
      : Promise.reject(failure);
  }
}
