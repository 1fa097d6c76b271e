import type { RequestListener } from 'node:http';

import type { ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';

import { createLoaders } from './loaders/loaders.ts';
import { createMutation } from './resolvers/mutation.ts';
import { Product } from './resolvers/product.ts';
import { Review } from './resolvers/review.ts';
import { createProductRatingStore } from './store/product-ratings.ts';
import { createReviewStore } from './store/reviews.ts';

/** The reviews subgraph: what users say about products, of which it knows only the identifiers. */
export function createApp({ database, ...hosting }: ServiceDependencies): Promise<RequestListener> {
  const reviews = createReviewStore(database);
  const ratings = createProductRatingStore(database);
  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: { Mutation: createMutation(reviews), Product, Review },
    createLoaders: createLoaders(reviews, ratings),
  });
}
