import type { SubgraphClient, SubgraphTarget } from '@meridian/executor';
import { createExecutor, createHttpTransport, loadSupergraph } from '@meridian/executor';

import type { ForwardHeaders } from '../subgraphs/forwarded-headers.ts';
import type { Subgraph, Supergraph } from '../supergraph/load-supergraph.ts';
import type { Executor } from './executor.ts';

export interface CompiledExecutorOptions {
  readonly supergraph: Supergraph;
  readonly client: SubgraphClient;
  /** How a subgraph is reached. */
  readonly connect: (subgraph: Subgraph) => Connection;
}

export interface Connection {
  readonly target: SubgraphTarget;
  readonly forwardHeaders: ForwardHeaders;
}

/** Creates an executor that compiles each operation once. */
export function createCompiledExecutor({ supergraph, client, connect }: CompiledExecutorOptions): Executor {
  const connections = new Map(supergraph.subgraphs.map((subgraph) => [subgraph.name, connect(subgraph)]));
  const targets = new Map(Array.from(connections, ([name, { target }]) => [name, target]));
  const executor = createExecutor({
    supergraph: loadSupergraph(supergraph.sdl),
    transport: createHttpTransport({ client, targets }),
  });
  return {
    prepare({ document, name }) {
      const operation = executor.prepare({ document, name });
      return async ({ variables, headers, ownHeaders, signal, observer }) =>
        await operation.run({
          variables,
          headersFor: (subgraph) => ({
            ...ownHeaders,
            ...connections.get(subgraph)?.forwardHeaders(headers),
          }),
          signal,
          observer,
        });
    },
    close: () => Promise.resolve(),
  };
}
