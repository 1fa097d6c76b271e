import { readFileSync } from 'node:fs';

import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import {
  createApolloServerGateway,
  createHttpTransport,
  createSubgraphClient,
  loadSupergraph,
} from '@meridian/executor';

const supergraphSdl = readFileSync('supergraph.graphql', 'utf8');
const targets = new Map(
  loadSupergraph(supergraphSdl).subgraphs.map(({ name, url }) => [
    name,
    { url, timeoutMs: 5000, maxResponseBytes: 16_777_216 },
  ]),
);
const gateway = createApolloServerGateway({
  supergraphSdl,
  transport: createHttpTransport({ client: createSubgraphClient(), targets }),
});
const server = new ApolloServer({ gateway });
const { url } = await startStandaloneServer(server, { listen: { port: 4177 } });
console.log(`graph: ${url}`);
