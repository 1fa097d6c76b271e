import { openEventLog } from '@meridian/events';
import type { ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';
import type { ServedSubgraph } from '@meridian/subgraph';

import type { Config } from './config.ts';
import { createLoaders } from './loaders/loaders.ts';
import { createProductsClient } from './products/products-client.ts';
import type { ProductsClientOptions } from './products/products-client.ts';
import { createMutation } from './resolvers/mutation.ts';
import { Product } from './resolvers/product.ts';
import { Review } from './resolvers/review.ts';
import { createSubscription } from './resolvers/subscription.ts';
import { createStores } from './store/stores.ts';

export interface ReviewsDependencies extends ServiceDependencies, Pick<Config, 'cursorKeys'> {
  /** Absent if reviewed products are not looked up. */
  readonly products?: ProductsClientOptions | undefined;
}

/** The reviews subgraph: what users say about products. Of a product it knows only the identifier. */
export function createApp({ products, ...hosting }: ReviewsDependencies): Promise<ServedSubgraph> {
  if (products === undefined) {
    hosting.logger.warn('PRODUCTS_URL is not set; addReview accepts reviews of products that do not exist');
  }
  const stores = createStores(hosting.database);
  const { changes, followLog } = openEventLog({ ...hosting, service: 'reviews' });
  const productsClient = products === undefined ? undefined : createProductsClient(products);
  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: {
      Mutation: createMutation(stores, changes, productsClient),
      Subscription: createSubscription(followLog),
      Product,
      Review,
    },
    createLoaders: createLoaders(stores),
  });
}
