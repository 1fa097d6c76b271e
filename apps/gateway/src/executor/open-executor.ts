import { createApolloExecutor } from './apollo/apollo-executor.ts';
import type { Executor, ExecutorOptions } from './executor.ts';
import { createMeridianExecutor } from './meridian-executor.ts';

/**
 * The executors that `meridian.executor` offers. `compiled`: `@meridian/executor`. `reference`: the same, always on the slow path,
 * to rule the fast one out. `apollo`: stock `@apollo/gateway`.
 */
export type ExecutorKind = 'compiled' | 'reference' | 'apollo';

/**
 * Opens the executor of a kind over one supergraph.
 *
 * @throws {SupergraphError} where it refuses the supergraph
 */
export function openExecutor(kind: ExecutorKind, options: ExecutorOptions): Promise<Executor> {
  return kind === 'apollo'
    ? createApolloExecutor(options)
    : createMeridianExecutor({ ...options, path: kind === 'compiled' ? 'fast' : 'slow' });
}
