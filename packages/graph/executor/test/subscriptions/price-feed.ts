import { EventEmitter } from 'node:events';

import { buildSubgraphSchema } from '@apollo/subgraph';
import type { ExecutionArgs, ExecutionResult, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { createSourceEventStream, execute, parse } from 'graphql';

import { sdlOf } from '../support/stub-subgraph.ts';

export interface PriceChange {
  readonly id: string;
  readonly price: number;
  /** From 1, one more for each. */
  readonly position: number;
}

/** The prices of products, and the log of their changes. It outlives the servers that serve it. */
export class PriceFeed {
  readonly log: PriceChange[] = [];
  readonly #changes = new EventEmitter().setMaxListeners(0);

  /** The number of subscriptions that follow it. */
  get followers(): number {
    return this.#changes.listenerCount('change');
  }

  publish(id: string, price: number): void {
    this.log.push({ id, price, position: this.log.length + 1 });
    this.#changes.emit('change');
  }

  /** The changes of one product after a position; by default, from now on. */
  follow(id: string, after = this.log.length): AsyncIterableIterator<PriceChange, undefined> {
    let next = after;
    let wake: (() => void) | undefined;
    let isOver = false;
    const onChange = (): void => wake?.();
    this.#changes.on('change', onChange);
    const end = (): void => {
      isOver = true;
      this.#changes.off('change', onChange);
      wake?.();
    };
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async () => {
        for (;;) {
          if (isOver) {
            return { done: true, value: undefined };
          }
          const change = this.log[next];
          if (change === undefined) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          } else {
            next += 1;
            if (change.id === id) {
              return { done: false, value: change };
            }
          }
        }
      },
      return: () => {
        end();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}

export const pricesSdl = `
  type Query { cheapest: Product }
  type Product @key(fields: "id") { id: ID! price: Int! }
  type Subscription {
    priceChanged(id: ID!): Product
    "Ends after the number of events."
    countdown(from: Int!): Product
    refused: Product
  }
`;

export const namesSdl = `
  type Query { product(id: ID!): Product }
  type Product @key(fields: "id") { id: ID! name: String! maker: String }
`;

/** The context of an operation: the position to resume from, and the credentials that came with it. */
export interface PeerContext {
  readonly resumeAfter?: number | undefined;
}

/** The schema of the subgraph, over a feed. */
export function pricesSchema(feed: PriceFeed): GraphQLSchema {
  const resolvers = {
    Subscription: {
      priceChanged: {
        subscribe: (_root: unknown, { id }: { id: string }, { resumeAfter }: PeerContext = {}) =>
          feed.follow(id, resumeAfter),
        resolve: (change: PriceChange) => change,
      },
      countdown: {
        async *subscribe(_root: unknown, { from }: { from: number }) {
          for (let price = from; price > 0; price -= 1) {
            yield { id: 'p1', price };
          }
        },
        resolve: (change: PriceChange) => change,
      },
      refused: {
        subscribe: () => {
          throw new Error('not for you');
        },
      },
    },
    Query: { cheapest: () => null },
    Product: { __resolveReference: (reference: unknown) => reference },
  };
  return buildSubgraphSchema({
    typeDefs: parse(sdlOf({ sdl: pricesSdl, resolvers: {} })),
    resolvers: resolvers as unknown as Record<string, Record<string, GraphQLFieldResolver<unknown, unknown>>>,
  });
}

/** Subscribes as `subscribe` of graphql-js, and adds the position of each event. */
export async function subscribeWithCursors(
  args: ExecutionArgs,
): Promise<ExecutionResult | AsyncGenerator<ExecutionResult, void, void>> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) {
    return source;
  }
  const events = source[Symbol.asyncIterator]();
  const stream: AsyncGenerator<ExecutionResult, void, void> = {
    async next() {
      const { done = false, value } = await events.next();
      if (done) {
        return { done: true, value: undefined };
      }
      const result = await execute({ ...args, rootValue: value });
      const position: unknown =
        typeof value === 'object' && value !== null && 'position' in value ? value.position : undefined;
      return {
        done: false,
        value: typeof position === 'number' ? { ...result, extensions: { cursor: `${position}` } } : result,
      };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    async throw(error) {
      await events.return?.();
      throw error;
    },
    [Symbol.asyncIterator]: () => stream,
    async [Symbol.asyncDispose]() {
      await events.return?.();
    },
  };
  return stream;
}

/** The position to resume from, of a request. */
export function resumeAfterOf(extensions: unknown): PeerContext {
  const after =
    typeof extensions === 'object' && extensions !== null && 'resumeAfter' in extensions
      ? extensions.resumeAfter
      : undefined;
  return { resumeAfter: after === undefined ? undefined : Number(after) };
}
