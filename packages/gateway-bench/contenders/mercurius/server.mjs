// Mercurius asks the subgraphs for their schemas itself; it knows no supergraph.
import process from 'node:process';

import mercuriusGateway from '@mercuriusjs/gateway';
import Fastify from 'fastify';

const { SUBGRAPHS, PORT } = process.env;
const services = Object.entries(JSON.parse(SUBGRAPHS)).map(([name, url]) => ({ name, url }));
const app = Fastify();
await app.register(mercuriusGateway, { gateway: { services }, jit: 1 });
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
