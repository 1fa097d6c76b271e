import type { ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';
import type { ServedSubgraph } from '@meridian/subgraph';

import { createLoaders } from './loaders/loaders.ts';
import { Query } from './resolvers/query.ts';
import { User } from './resolvers/user.ts';
import { createStores } from './store/stores.ts';

/** The users subgraph: the people who act for a tenant. */
export function createApp({ database, ...hosting }: ServiceDependencies): Promise<ServedSubgraph> {
  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: { Query, User },
    createLoaders: createLoaders(createStores(database)),
  });
}
