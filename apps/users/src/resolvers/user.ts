import type { Context } from '../loaders/loaders.ts';

export const User = {
  __resolveReference: ({ id }: { id: string }, { loaders }: Context) => loaders.userById.load(id),
};
