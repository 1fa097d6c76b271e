import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { createSourceEventStream, execute } from 'graphql';

/** A price that has changed, and its place in the log. */
export interface PriceChange {
  readonly id: string;
  readonly price: number;
  readonly position: number;
}

/** A log of prices that subscribers follow. */
export class PriceFeed {
  readonly #log: PriceChange[] = [];
  readonly #followers = new Set<Follower>();

  /** The number of subscribers. */
  get followers(): number {
    return this.#followers.size;
  }

  /** The position of its end. */
  get position(): number {
    return this.#log.length;
  }

  push(id: string, price: number): void {
    const change = { id, price, position: this.#log.length + 1 };
    this.#log.push(change);
    this.#followers.forEach((follower) => follower.add(change));
  }

  /** Completes all subscriptions. */
  end(): void {
    this.#followers.forEach((follower) => void follower.return());
  }

  follow(id: string, after: number | undefined): AsyncIterableIterator<PriceChange> {
    const missed = after === undefined ? [] : this.#log.filter(({ position }) => position > after);
    const follower: Follower = new Follower(id, missed, () => this.#followers.delete(follower));
    this.#followers.add(follower);
    return follower;
  }
}

class Follower implements AsyncIterableIterator<PriceChange, undefined> {
  readonly #id: string;
  readonly #changes: PriceChange[];
  readonly #onEnd: () => void;
  #hasEnded = false;
  #goOn: (() => void) | undefined;

  constructor(id: string, missed: readonly PriceChange[], onEnd: () => void) {
    this.#id = id;
    this.#changes = missed.filter((change) => change.id === id);
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  add(change: PriceChange): void {
    if (change.id === this.#id) {
      this.#changes.push(change);
      this.#goOn?.();
    }
  }

  async next(): Promise<IteratorResult<PriceChange, undefined>> {
    while (this.#changes.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => (this.#goOn = resolve));
    }
    const value = this.#changes.shift();
    return value === undefined ? { done: true, value } : { done: false, value };
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#hasEnded = true;
    this.#onEnd();
    this.#goOn?.();
    return Promise.resolve({ done: true, value: undefined });
  }
}

/** Subscribes as `subscribe` of graphql-js, and adds the position of each event. */
export async function subscribeWithCursors(
  args: ExecutionArgs,
): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) {
    return source;
  }
  const events = source[Symbol.asyncIterator]() as AsyncIterator<PriceChange, undefined>;
  const stream: AsyncIterableIterator<ExecutionResult> = {
    [Symbol.asyncIterator]: () => stream,
    async next() {
      const { done = false, value } = await events.next();
      return done || value === undefined
        ? { done: true, value: undefined }
        : {
            done: false,
            value: {
              ...(await execute({ ...args, rootValue: value })),
              extensions: { cursor: String(value.position) },
            },
          };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    // Without it, graphql-sse does not call `return`.
    async throw(error) {
      await events.return?.();
      throw error;
    },
  };
  return stream;
}
