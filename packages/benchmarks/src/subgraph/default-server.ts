// The same schema on Apollo Server with Express, as their documentation combines them. It trusts the given
// tenant.
import { readFileSync } from 'node:fs';

import { ApolloServer } from '@apollo/server';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { expressMiddleware } from '@as-integrations/express5';
import DataLoader from 'dataloader';
import express from 'express';
import { parse } from 'graphql';

import { listenAndAnnounce } from '../harness/listen-and-announce.ts';
import { findProducts } from './products-by-id.ts';
import type { Product } from './products-by-id.ts';

interface Context {
  readonly productById: DataLoader<string, Product | null>;
}

const typeDefs = parse(
  readFileSync(new URL('../../../../apps/products/schema.graphql', import.meta.url), 'utf8'),
);
const resolvers = {
  Product: {
    __resolveReference: ({ id }: { id: string }, { productById }: Context) => productById.load(id),
  },
};
const server = new ApolloServer<Context>({ schema: buildSubgraphSchema({ typeDefs, resolvers }) });
await server.start();

const app = express();
app.use(
  '/graphql',
  express.json(),
  expressMiddleware(server, {
    context: async ({ req }) => ({ productById: loaderOf(String(req.headers['tenant-id'])) }),
  }),
);
listenAndAnnounce(app);

function loaderOf(tenantId: string): Context['productById'] {
  return new DataLoader(async (ids) => {
    const products = new Map((await findProducts(tenantId, ids)).map((product) => [product.id, product]));
    return ids.map((id) => products.get(id) ?? null);
  });
}
