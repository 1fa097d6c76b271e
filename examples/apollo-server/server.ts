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

interface Context {
  /** The subgraphs, in the order of the calls to them. */
  readonly called: string[];
}

const gateway = createApolloServerGateway<Context>({
  supergraphSdl,
  transport: createHttpTransport({
    client: createSubgraphClient(),
    targets,
    // Around each call to a subgraph: it may change the request or the response, or respond by itself.
    interceptorsOf: (subgraph) => [
      async (request, next) => {
        request.run.context.called.push(subgraph);
        return await next({ ...request, headers: { ...request.headers, 'x-service': 'shop' } });
      },
    ],
  }),
});
const server = new ApolloServer<Context>({
  gateway,
  plugins: [
    {
      // Around the execution, and all else that a plugin of Apollo Server has.
      requestDidStart: async () => ({
        async willSendResponse({ contextValue, response: { body } }) {
          if (body.kind === 'single') {
            body.singleResult.extensions = { called: contextValue.called };
          }
        },
      }),
    },
  ],
});
const { url } = await startStandaloneServer(server, {
  listen: { port: 4177 },
  context: async () => ({ called: [] }),
});
console.log(`graph: ${url}`);
