import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { Stores } from '../store/stores.ts';

/** The page size where the client sends none, or null. */
const defaultPageSize = 20;

export const createQuery = ({ orders }: Stores) =>
  ({
    order: (_query, { id }: { id: string }, { loaders }) => loaders.orderById.load(id),

    orders: (_query, { first }: { first?: number | null }, { caller, signal }) =>
      orders.findNewest(caller.tenantId, first ?? defaultPageSize, signal),
  }) satisfies FieldResolvers<unknown, Context>;
