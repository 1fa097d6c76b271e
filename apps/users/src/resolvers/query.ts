import { userIdOf } from '@meridian/subgraph';
import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';

export const Query = {
  me: (_query, _arguments, { caller, loaders }) => loaders.userById.load(userIdOf(caller)),
} satisfies FieldResolvers<unknown, Context>;
