import { products, reviews } from './shop-subgraphs.ts';
import type { StubSubgraph } from './stub-subgraph.ts';
import { startStubSubgraph } from './stub-subgraph.ts';
import { compose } from './compose.ts';

/** The shop's subgraphs on loopback, and their supergraph. */
export interface Shop {
  readonly products: StubSubgraph;
  readonly reviews: StubSubgraph;
  readonly supergraphSdl: string;
  close(): Promise<void>;
}

/** Composed once for all suites of a worker: `startShop` puts the URLs of its subgraphs in. */
const composition = compose([
  { name: 'products', routingUrl: 'url-of-products', sdl: products.sdl },
  { name: 'reviews', routingUrl: 'url-of-reviews', sdl: reviews.sdl },
]);

export async function startShop(): Promise<Shop> {
  const subgraphs = {
    products: await startStubSubgraph('products', products),
    reviews: await startStubSubgraph('reviews', reviews),
  };
  return {
    ...subgraphs,
    supergraphSdl: composition
      .replace('url-of-products', subgraphs.products.url)
      .replace('url-of-reviews', subgraphs.reviews.url),
    async close() {
      await Promise.all(Object.values(subgraphs).map((subgraph) => subgraph.close()));
    },
  };
}
