// A subgraph of another repository: Apollo Server as its own documentation has it. `node stock.js <port>`.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { ApolloServer, HeaderMap } from '@apollo/server';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const typeDefs = parse(readFileSync(new URL('stock.graphql', import.meta.url), 'utf8'));
const depots = [
  { id: 'd1', city: 'Bonn' },
  { id: 'd2', city: 'Graz' },
];
const server = new ApolloServer({
  schema: buildSubgraphSchema({
    typeDefs,
    resolvers: {
      Query: {
        depots: () => depots,
        receivedFields: (_query, _args, { fields }) => fields,
      },
      Depot: { __resolveReference: ({ id }) => depots.find((depot) => depot.id === id) },
      Product: { __resolveReference: ({ id }) => ({ id }), depot: () => depots[0] },
    },
  }),
});
await server.start();

createServer((request, response) => void respond(request, response)).listen(
  Number(process.argv[2]),
  '127.0.0.1',
);

async function respond(request, response) {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    headers.set(name, String(value));
  }
  const {
    status,
    headers: sent,
    body,
  } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers,
      search: '',
      body: JSON.parse(await text(request)),
    },
    context: () => Promise.resolve({ fields: Object.keys(request.headers) }),
  });
  response.writeHead(status ?? 200, Object.fromEntries(sent)).end(body.string);
}
