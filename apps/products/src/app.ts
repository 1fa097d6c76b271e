import type { ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';
import type { ServedSubgraph } from '@meridian/subgraph';

import { createLoaders } from './loaders/loaders.ts';
import { createMutation } from './resolvers/mutation.ts';
import { Product } from './resolvers/product.ts';
import { createQuery } from './resolvers/query.ts';
import { createStores } from './store/stores.ts';

/** The products subgraph: what is sold, and for how much. */
export function createApp({ database, ...hosting }: ServiceDependencies): Promise<ServedSubgraph> {
  const stores = createStores(database);
  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: { Query: createQuery(stores), Mutation: createMutation(stores), Product },
    createLoaders: createLoaders(stores),
  });
}
