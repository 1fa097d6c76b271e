import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import { exitOnBadEnvironment } from '@meridian/config';

import { readConfig } from './config.ts';
import { bundlePage } from './server/bundle-page.ts';
import { createStorefront } from './server/create-storefront.ts';
import { readIdentifiers } from './server/read-identifiers.ts';

/** Short, so that whoever keeps the page open sees it renewed. */
const tokenTtlSeconds = 300;

const config = exitOnBadEnvironment(() => readConfig(process.env));
const identity = await createDevelopmentIdentity(config.identityPath);
const server = createServer(
  createStorefront({
    files: await bundlePage(),
    identifiers: await readIdentifiers(config.manifestPath),
    graphUrl: config.graphUrl,
    signToken: () => identity.signToken({ ttlSeconds: tokenTtlSeconds }),
  }),
);
server.listen(config.port, config.host);
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : config.port;
process.stdout.write(
  `The storefront is at http://${config.host}:${port}; the graph, at ${config.graphUrl.href}\n`,
);
