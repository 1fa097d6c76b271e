import type { RequestListener } from 'node:http';

import type { ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';

import { createLoaders } from './loaders/loaders.ts';
import { createMutation } from './resolvers/mutation.ts';
import { Product } from './resolvers/product.ts';
import { createQuery } from './resolvers/query.ts';
import { createProductStore } from './store/product-store.ts';

/** The products subgraph: what is sold, and for how much. */
export function createApp({ database, ...hosting }: ServiceDependencies): Promise<RequestListener> {
  const products = createProductStore(database);
  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: { Query: createQuery(products), Mutation: createMutation(products), Product },
    createLoaders: createLoaders(products),
  });
}
