import {
  checkIdentifier,
  checkInteger,
  checkText,
  clientError,
  createIdentifier,
  userIdOf,
} from '@meridian/subgraph';
import type { Changes } from '@meridian/events';
import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { ProductsClient } from '../products/products-client.ts';
import type { Stores } from '../store/stores.ts';

/** @param products if absent, any product may be reviewed */
export const createMutation = (
  { reviews }: Stores,
  changes: Pick<Changes, 'tell'>,
  products: ProductsClient | undefined,
) =>
  ({
    addReview: async (
      _mutation,
      { productId, rating, body }: { productId: string; rating: number; body: string },
      context,
    ) => {
      checkIdentifier('productId', productId);
      checkInteger('rating', rating, { min: 1, max: 5 });
      checkText('body', body, { maxLength: 10_000 });
      if (products !== undefined && !(await products.has(productId, context))) {
        throw clientError('NOT_FOUND', 'There is no such product');
      }
      const { caller, signal } = context;
      const review = { id: createIdentifier(), productId, authorId: userIdOf(caller), rating, body };
      await reviews.insertMany(caller.tenantId, [review], { actor: caller, signal });
      changes.tell(caller.tenantId);
      return review;
    },
  }) satisfies FieldResolvers<unknown, Context>;
