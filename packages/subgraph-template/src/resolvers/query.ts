import type { Context } from '../loaders/loaders.ts';
import type { Stores } from '../store/stores.ts';

/** The page of a client that names no size, or null. */
const defaultPageSize = 20;

export const createQuery = ({ spareParts }: Stores) => ({
  sparePart: (_query: unknown, { id }: { id: string }, { loaders }: Context) =>
    loaders.sparePartById.load(id),

  spareParts: (_query: unknown, { first }: { first?: number | null }, { caller, signal }: Context) =>
    spareParts.findFirst(caller.tenantId, first ?? defaultPageSize, signal),
});
