import { composeSupergraph } from '@meridian/composition';

import { products, reviews } from './shop-subgraphs.ts';
import type { StubSubgraph } from './stub-subgraph.ts';
import { startStubSubgraph } from './stub-subgraph.ts';

/** The shop's subgraphs on loopback, and their supergraph. */
export interface Shop {
  readonly products: StubSubgraph;
  readonly reviews: StubSubgraph;
  readonly supergraphSdl: string;
  close(): Promise<void>;
}

export async function startShop(): Promise<Shop> {
  const subgraphs = {
    products: await startStubSubgraph('products', products),
    reviews: await startStubSubgraph('reviews', reviews),
  };
  return {
    ...subgraphs,
    supergraphSdl: supergraphOf(Object.values(subgraphs)),
    async close() {
      await Promise.all(Object.values(subgraphs).map((subgraph) => subgraph.close()));
    },
  };
}

function supergraphOf(subgraphs: readonly StubSubgraph[]): string {
  const composition = composeSupergraph(
    subgraphs.map(({ name, url, sdl }) => ({ name, routingUrl: url, sdl })),
  );
  if (composition.errors !== undefined) {
    throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  }
  return composition.supergraphSdl;
}
