import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { Stores } from '../store/stores.ts';

export const createQuery = ({ products }: Stores) =>
  ({
    product: (_query, { id }: { id: string }, { loaders }) => loaders.productById.load(id),

    topProducts: (_query, { first }: { first: number }, { caller, signal }) =>
      products.findBestSelling(caller.tenantId, first, signal),
  }) satisfies FieldResolvers<unknown, Context>;
