import { RouterConfigError } from '@meridian/router-config';

import type { createApolloExecutor } from './apollo/apollo-executor.ts';
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
 * @throws {RouterConfigError} where the package that it needs is not installed
 */
export async function openExecutor(kind: ExecutorKind, options: ExecutorOptions): Promise<Executor> {
  if (kind === 'apollo') {
    const createExecutor = await loadApolloExecutor();
    return await createExecutor(options);
  }
  return await createMeridianExecutor({ ...options, path: kind === 'compiled' ? 'fast' : 'slow' });
}

/** Loads what needs `@apollo/gateway`, which is optional beside the npm package and slow to load. */
async function loadApolloExecutor(): Promise<typeof createApolloExecutor> {
  try {
    const loaded = await import('./apollo/apollo-executor.ts');
    return loaded.createApolloExecutor;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      const fault =
        'meridian.executor: apollo needs a package: npm install @apollo/gateway@2.14.4, or remove the key';
      throw new RouterConfigError([fault]);
    }
    throw error;
  }
}
