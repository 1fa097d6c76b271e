import type { IncomingMessage, RequestListener } from 'node:http';

import type { ExecutionArgs, GraphQLSchema } from 'graphql';

/** The part of graphql-yoga that the peers need. */
export function createYoga(options: {
  readonly schema: GraphQLSchema;
  readonly logging: boolean;
  readonly context: (server: {
    readonly req: IncomingMessage;
    readonly params: { readonly extensions?: unknown };
  }) => object;
  readonly plugins: readonly {
    onSubscribe(hook: {
      readonly setSubscribeFn: (subscribe: (args: ExecutionArgs) => Promise<unknown>) => void;
    }): void;
  }[];
}): RequestListener;
