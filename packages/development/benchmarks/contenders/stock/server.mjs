// Stock: @apollo/gateway in Apollo Server, as its documentation starts it.
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';

const { SUPERGRAPH_PATH, PORT } = process.env;
const gateway = new ApolloGateway({ supergraphSdl: readFileSync(SUPERGRAPH_PATH, 'utf8') });
await startStandaloneServer(new ApolloServer({ gateway }), {
  listen: { host: '127.0.0.1', port: Number(PORT) },
});
