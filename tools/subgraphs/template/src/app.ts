import type { ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';
import type { ServedSubgraph } from '@meridian/subgraph';

import { createLoaders } from './loaders/loaders.ts';
// <entity>
import { Product } from './resolvers/product.ts';
// </entity>
import { createQuery } from './resolvers/query.ts';
import { SparePart } from './resolvers/spare-part.ts';
import { createStores } from './store/stores.ts';

/** The template subgraph: spare parts. */
export function createApp({ database, ...hosting }: ServiceDependencies): Promise<ServedSubgraph> {
  const stores = createStores(database);
  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: {
      Query: createQuery(stores),
      SparePart,
      // <entity>
      Product,
      // </entity>
      // With `type Subscription { sparePartAdded: SparePart }` in the schema (docs/subgraphs.md, "Add a subscription"):
      // Subscription: { sparePartAdded: { subscribe: (_root, _arguments, { caller, signal }) => … } },
    },
    createLoaders: createLoaders(stores),
  });
}
