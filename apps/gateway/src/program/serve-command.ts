import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import process from 'node:process';

import type { Command } from '@meridian/settings/command-line';
import { watchLaunchers } from '@meridian/processes';
import { isSocketPath } from '@meridian/http';
import type { ListenAddress } from '@meridian/http';

import { subgraphUrls, subgraphsVariable } from '../composition/subgraph-urls.ts';
import { withSubgraphs } from '../composition/with-subgraphs.ts';
import type { Environment } from '../config/gateway-environment.ts';
import { defaultConfigPath } from '../default-files.ts';
import { startGateway } from './start-gateway.ts';
import { withFlags } from './with-flags.ts';
import { programHelp } from './gateway-help.ts';
import { readVersion } from './read-version.ts';
import type { SubgraphUrls } from '../composition/subgraph-urls.ts';
import type { StartedGateway } from './start-gateway.ts';

/** The gateway as the command of an npm package. */
export function serveCommand(name: string): Command<Environment> {
  return {
    name,
    help: programHelp,
    read: (args) => withExplainSecret(withDefaultConfig(withFlags(process.env, args, process.stdout.isTTY))),
    async run(env) {
      if (cluster.isPrimary) {
        // npx passes on no signal that only it receives, and supervisors send theirs to npx alone.
        watchLaunchers(() => process.kill(process.pid, 'SIGTERM'));
      }
      const started = await startGateway(await withSubgraphs(env));
      if (cluster.isPrimary) {
        process.stderr.write(
          announce(started, {
            version: readVersion(),
            subgraphs: subgraphUrls.parse(env[subgraphsVariable] ?? ''),
          }),
        );
      }
    },
  };
}

/**
 * A supergraph is enough for a start: without `ROUTER_CONFIG_PATH` and `router.yaml`, the configuration is the default.
 */
function withDefaultConfig(env: Environment): Environment {
  const isMissing = env['ROUTER_CONFIG_PATH'] === undefined && !existsSync('router.yaml');
  return isMissing ? { ...env, ROUTER_CONFIG_PATH: defaultConfigPath } : env;
}

/** In development, requests are explained without a secret of the operator's. Workers inherit it. */
function withExplainSecret(env: Environment): Environment {
  if (env['NODE_ENV'] !== 'development' || env['EXPLAIN_SECRET'] !== undefined) {
    return env;
  }
  const secret = randomBytes(24).toString('base64url');
  process.env['EXPLAIN_SECRET'] = secret;
  return { ...env, EXPLAIN_SECRET: secret };
}

/** Tells the person at the terminal the served graph and its URL. */
export function announce(
  { config, address, adminAddress }: StartedGateway,
  { version, subgraphs }: { readonly version: string; readonly subgraphs: SubgraphUrls | undefined },
): string {
  const origin = originOf(address, config.isSecure ? 'https' : 'http');
  const [graphPath = ''] = config.graphPaths;
  const served = subgraphs === undefined ? config.supergraphName : [...subgraphs.keys()].join(', ');
  return [
    `meridian-gateway ${version} serves ${served} at ${origin}${graphPath}${overSocket(address)}`,
    ...(config.explorer === undefined ? [] : [`explorer: ${origin}/explorer${overSocket(address)}`]),
    ...(config.explain === undefined || config.explorer === undefined || isSocketPath(adminAddress.host)
      ? []
      : [
          `explain a request: EXPLAIN_SECRET=${config.explain.secret} meridian-gateway explain <trace id> --admin-url ${originOf(adminAddress)}`,
        ]),
    `admin: ${originOf(adminAddress)} (/livez, /readyz, /metrics)${overSocket(adminAddress)}`,
    '',
  ].join('\n');
}

function originOf({ host, port }: ListenAddress, scheme = 'http'): string {
  return isSocketPath(host)
    ? `${scheme}://localhost`
    : `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function overSocket({ host }: ListenAddress): string {
  return isSocketPath(host) ? ` over the Unix socket ${host}` : '';
}
