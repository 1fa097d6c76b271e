// Hive Gateway with its Rust planner, over its own runtime.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';

import { createGatewayRuntime } from '@graphql-hive/gateway';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';

const { SUPERGRAPH_PATH, PORT, SHARES_REQUESTS } = process.env;
const runtime = createGatewayRuntime({
  supergraph: readFileSync(SUPERGRAPH_PATH, 'utf8'),
  unifiedGraphHandler,
  inboundInflightRequestDeduplication: SHARES_REQUESTS === 'true',
  logging: false,
});
createServer(runtime).listen(Number(PORT), '127.0.0.1');
