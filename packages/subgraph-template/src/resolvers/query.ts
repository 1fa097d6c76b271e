import type { Context } from '../loaders/loaders.ts';
import type { Stores } from '../store/stores.ts';

/** The page of a client that names no size, or null. */
const defaultPageSize = 20;

export const createQuery = ({ samples }: Stores) => ({
  sample: (_query: unknown, { id }: { id: string }, { loaders }: Context) => loaders.sampleById.load(id),

  samples: (_query: unknown, { first }: { first?: number | null }, { caller, signal }: Context) =>
    samples.findFirst(caller.tenantId, first ?? defaultPageSize, signal),
});
