import { createExecutor, loadSupergraph } from '@meridian/executor';

import type { SubgraphConnections } from '../subgraphs/connect-subgraphs.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { Executor } from './executor.ts';

export interface CompiledExecutorOptions {
  readonly supergraph: Supergraph;
  readonly connections: SubgraphConnections;
}

/** Creates an executor that compiles each operation once. */
export function createCompiledExecutor({ supergraph, connections }: CompiledExecutorOptions): Executor {
  const { transport, forwardHeaders } = connections;
  const executor = createExecutor({ supergraph: loadSupergraph(supergraph.sdl), transport });
  return {
    prepare({ document, name }) {
      const operation = executor.prepare({ document, name });
      return async ({ variables, headers, ownHeaders, signal, observer }) =>
        await operation.run({
          variables,
          headersFor: (subgraph) => ({ ...ownHeaders, ...forwardHeaders(subgraph, headers) }),
          signal,
          observer,
        });
    },
    close: () => Promise.resolve(),
  };
}
