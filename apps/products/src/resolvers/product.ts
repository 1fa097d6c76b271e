import type { Context } from '../loaders/loaders.ts';

export const Product = {
  __resolveReference: ({ id }: { id: string }, { loaders }: Context) => loaders.productById.load(id),
};
