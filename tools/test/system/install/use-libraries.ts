/** A program that uses each library. `names` are the names on npm. */
export const programThatUses = (names: Readonly<Record<string, string>>): string => `
import { readFileSync, writeFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { createApolloServerGateway, createHttpTransport, createSubgraphClient, loadSupergraph } from '${names['@meridian/executor']}';
import { createEntityTags } from '${names['@meridian/etag']}';
import { problem, problemBody } from '${names['@meridian/problem-details']}';
import { readRouterConfig } from '${names['@meridian/router-config']}';
import { createSubgraph } from '${names['@meridian/subgraph']}';
import { createTokenVerifier } from '${names['@meridian/subgraph']}/auth';
import { createLogger, createMetrics } from '${names['@meridian/subgraph']}/telemetry';
import { runServiceProcess } from '${names['@meridian/subgraph']}/service';
import { createTenantLoader } from '${names['@meridian/tenant-loaders']}';

const supergraphSdl = readFileSync('supergraph.graphql', 'utf8');
const targets = new Map(
  loadSupergraph(supergraphSdl).subgraphs.map(({ name, url }) => [name, { url, timeoutMs: 5000, maxResponseBytes: 1000000 }]),
);
const client = createSubgraphClient();
const server = new ApolloServer({
  gateway: createApolloServerGateway({ supergraphSdl, transport: createHttpTransport({ client, targets }) }),
});
const response = await server.executeOperation({ query: 'query Hello { hello }' });
const scope = { tenantId: 'acme', signal: new AbortController().signal };
const loader = createTenantLoader('double', scope, (_tenant: string, keys: readonly number[]) =>
  Promise.resolve(keys.map((key) => 2 * key)),
);
writeFileSync('schema.graphql', \`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { product(id: ID!): Product }
  type Product @key(fields: "id") { id: ID! }
\`);
const { handler } = await createSubgraph({
  schema: new URL('schema.graphql', import.meta.url),
  resolvers: {
    Query: { product: (_parent: unknown, { id }: { id: string }) => ({ id }) },
    Product: { __resolveReference: ({ id }: { id: string }) => ({ id }) },
  },
  createLoaders: () => ({}),
  mode: 'production',
  verifier: createTokenVerifier({
    issuers: [{ issuer: 'https://id.example', audience: 'products', jwksUrl: 'https://id.example/jwks.json' }],
  }),
  limitLoad: (_request, _response, next) => next(),
  logger: createLogger({ service: 'products' }),
  metrics: createMetrics({ service: 'products' }),
  problemBaseUrl: 'https://api.example',
  requestDeadlineMs: 1000,
});
const { config } = readRouterConfig({ files: [{ name: 'router.yaml', text: 'supergraph: { path: /graph }' }], env: {}, readFile: String });
const tags = createEntityTags({ keys: ['a key of at least thirty-two characters'] });
const account = { tenantId: 'acme', identifier: 'a-1', revision: 7n, storeEpoch: 'e' };
console.log(JSON.stringify({
  data: response.body.kind === 'single' ? response.body.singleResult.data : undefined,
  twice: await loader.load(21),
  path: config.supergraph.path,
  tag: tags.matchesIfMatch(tags.of(account), account),
  status: problemBody(problem('stale-etag', 'It has changed.'), 'https://api.example').status,
  functions: [handler, runServiceProcess].map((value) => typeof value),
}));
await server.stop();
await client.close();
`;
