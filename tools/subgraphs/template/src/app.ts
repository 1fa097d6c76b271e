import { openEventLog } from '@meridian/events';
import type { EventLogConfig, ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';
import type { ServedSubgraph } from '@meridian/subgraph';

import { createLoaders } from './loaders/loaders.ts';
import { createMutation } from './resolvers/mutation.ts';
// <entity>
import { Product } from './resolvers/product.ts';
// </entity>
import { createQuery } from './resolvers/query.ts';
import { SparePart } from './resolvers/spare-part.ts';
import { createSubscription } from './resolvers/subscription.ts';
import { createStores } from './store/stores.ts';

/** The template subgraph: spare parts. */
export function createApp(
  hosting: ServiceDependencies & Pick<EventLogConfig, 'cursorKeys'>,
): Promise<ServedSubgraph> {
  const stores = createStores(hosting.database);
  const { changes, followLog } = openEventLog({ ...hosting, service: 'template' });
  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: {
      Query: createQuery(stores),
      Mutation: createMutation(stores, changes),
      Subscription: createSubscription(followLog),
      SparePart,
      // <entity>
      Product,
      // </entity>
    },
    createLoaders: createLoaders(stores),
  });
}
