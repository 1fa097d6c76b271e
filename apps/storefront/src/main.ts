// `pnpm storefront`: the example client in a browser, over a running stack.
import { createServer } from 'node:http';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import { bundlePage } from '@meridian/pages';
import { flagValue, readArgs, runCommand } from '@meridian/settings/command-line';
import { exitOnBadEnvironment, port } from '@meridian/settings/environment';
import { ListenError, listen } from '@meridian/http';

import { readConfig } from './config.ts';
import { createStorefront } from './server/create-storefront.ts';
import { readIdentifiers } from './server/read-identifiers.ts';

const help = `Usage: pnpm storefront

Serves the example client, over the stack of pnpm start.

  --port <number>  where it listens (4173)
  --help           print this

HOST, PORT                 where it listens (127.0.0.1, 4173)
GRAPH_URL                  the gateway (the one of the pnpm start that runs, else
                           http://127.0.0.1:4000/graphql)
ACCOUNTS_URL               the accounts service (the same stack's, else http://127.0.0.1:4001)
DEVELOPMENT_IDENTITY_PATH  whose tokens the page gets (.data/identity)
MANIFEST_PATH              the operations that it may send (persisted-queries.json)
`;

/** Short, so that a page that stays open shows how a token is renewed. */
const tokenTtlSeconds = 300;

await runCommand({
  name: 'pnpm storefront',
  help,
  read: readPort,
  run: serve,
  lineFor: (error) => (error instanceof ListenError ? error.message : undefined),
});

/** The port that the command line names, if it does. */
function readPort(args: readonly string[]): number | undefined {
  const { flags } = readArgs(args, { port: { type: 'string' } });
  return flags.port === undefined ? undefined : flagValue('--port', flags.port, port);
}

async function serve(namedPort: number | undefined): Promise<void> {
  const config = exitOnBadEnvironment(() => readConfig(process.env));
  const identity = await createDevelopmentIdentity(config.identityPath);
  const server = createServer(
    createStorefront({
      page: await bundlePage({
        title: 'Storefront',
        basePath: '/',
        program: fileURLToPath(new URL('page/main.tsx', import.meta.url)),
      }),
      identifiers: await readIdentifiers(config.manifestPath),
      graphUrl: config.graphUrl,
      accountsUrl: config.accountsUrl,
      signToken: () => identity.signToken({ ttlSeconds: tokenTtlSeconds }),
    }),
  );
  const address = await listen(server, { ...config, port: namedPort ?? config.port });
  process.stdout.write(
    `The storefront is at http://${config.host}:${address.port}; the graph, at ${config.graphUrl.href}\n`,
  );
}
