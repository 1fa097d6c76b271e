import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import process from 'node:process';

import type { Command } from '@meridian/command-line';
import { watchLaunchers } from '@meridian/processes';

import { subgraphUrls, subgraphsVariable } from '../composition/subgraph-urls.ts';
import { withSubgraphs } from '../composition/with-subgraphs.ts';
import type { Environment } from '../config/gateway-environment.ts';
import { defaultConfigPath } from '../default-files.ts';
import { startGateway } from '../start-gateway.ts';
import { withFlags } from '../process/with-flags.ts';
import { announce } from './announce.ts';
import { programHelp } from './program-help.ts';
import { readVersion } from './read-version.ts';

/** The gateway as the command of an npm package. */
export function serveCommand(name: string): Command<Environment> {
  return {
    name,
    help: programHelp,
    read: (args) => withDefaultConfig(withFlags(process.env, args)),
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
