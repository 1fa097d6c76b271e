import type { RequestListener } from 'node:http';

import type { ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';

import { createLoaders } from './loaders/loaders.ts';
import { Cancellation } from './resolvers/cancellation.ts';
import { LineItem } from './resolvers/line-item.ts';
import { createMutation } from './resolvers/mutation.ts';
import { OrderStatus } from './resolvers/order-status.ts';
import { Order } from './resolvers/order.ts';
import { Product } from './resolvers/product.ts';
import { createQuery } from './resolvers/query.ts';
import { createStores } from './store/stores.ts';

/** The orders subgraph: what customers order, and how far their orders have come. */
export function createApp({ database, ...hosting }: ServiceDependencies): Promise<RequestListener> {
  const stores = createStores(database);
  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: {
      Query: createQuery(stores.orders),
      Mutation: createMutation(stores.orders),
      Order,
      OrderStatus,
      LineItem,
      Cancellation,
      Product,
    },
    createLoaders: createLoaders(stores),
  });
}
