import { RouterConfigError } from '@meridian/router-config';

import type { createApolloExecutor } from './apollo-executor.ts';
import type { ClosableExecutor, ExecutorParts } from './executor.ts';
import { createMeridianExecutor } from './meridian-executor.ts';

/**
 * The executors that `meridian.executor` offers. `fast_path`: `@meridian/executor`. `slow_path`: the same, which parses
 * every response, to rule out faults of the fast path. `apollo`: stock `@apollo/gateway`.
 */
export type ExecutorKind = 'fast_path' | 'slow_path' | 'apollo';

/**
 * Opens the executor of a kind over one supergraph.
 *
 * @throws {SupergraphError} when it rejects the supergraph
 * @throws {RouterConfigError} when its package is not installed
 */
export async function openExecutor(kind: ExecutorKind, options: ExecutorParts): Promise<ClosableExecutor> {
  if (kind === 'apollo') {
    const createExecutor = await loadApolloExecutor();
    return await createExecutor(options);
  }
  return await createMeridianExecutor(kind === 'fast_path' ? 'fast' : 'slow', options);
}

/** Loads the part that needs `@apollo/gateway`, an optional dependency that is slow to load. */
async function loadApolloExecutor(): Promise<typeof createApolloExecutor> {
  try {
    const loaded = await import('./apollo-executor.ts');
    return loaded.createApolloExecutor;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      const fault =
        'meridian.executor: apollo needs a package: npm install @apollo/gateway@2.14.4 graphql@16, or remove the key';
      throw new RouterConfigError([fault]);
    }
    throw error;
  }
}
