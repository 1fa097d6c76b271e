// Mercurius knows no supergraph and no Federation 2: it gets each subgraph's schema as Federation 1 writes it. graphql
// stays at 16.11, since Mercurius prints numbers as arguments that later versions refuse.
import process from 'node:process';

import mercuriusGateway from '@mercuriusjs/gateway';
import Fastify from 'fastify';

const { SUBGRAPHS, FEDERATION_1_SCHEMAS, PORT } = process.env;
const schemas = JSON.parse(FEDERATION_1_SCHEMAS);
const services = Object.entries(JSON.parse(SUBGRAPHS)).map(([name, url]) => ({
  name,
  url,
  schema: schemas[name],
}));
const app = Fastify();
await app.register(mercuriusGateway, { gateway: { services }, jit: 1 });
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
