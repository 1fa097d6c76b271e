import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { Stores } from '../store/stores.ts';

/** The page of a client that names no size, or null. */
const defaultPageSize = 20;

export const createQuery = ({ spareParts }: Stores) =>
  ({
    sparePart: (_query, { id }: { id: string }, { loaders }) => loaders.sparePartById.load(id),

    spareParts: (_query, { first }: { first?: number | null }, { caller, signal }) =>
      spareParts.findFirst(caller.tenantId, first ?? defaultPageSize, signal),
  }) satisfies FieldResolvers<unknown, Context>;
