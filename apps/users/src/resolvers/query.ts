import { userIdOf } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';

export const Query = {
  me: (_query: unknown, _arguments: unknown, { caller, loaders }: Context) =>
    loaders.userById.load(userIdOf(caller)),
};
