import type { Flags } from '@meridian/settings/command-line';
import { UsageError, flagValue, readArgs } from '@meridian/settings/command-line';
import { host, port } from '@meridian/settings/environment';

import { namedUrl, subgraphUrls, subgraphsVariable } from '../composition/subgraph-urls.ts';
import { developmentOverlayPath } from '../default-files.ts';
import { workerCount } from '../config/gateway-environment.ts';
import type { Environment } from '../config/gateway-environment.ts';
import { fromRouterVariables, listenVariables, logLevelOf } from './router-synonyms.ts';

const options = {
  dev: { type: 'boolean', default: false },
  supergraph: { type: 'string', short: 's' },
  subgraph: { type: 'string', multiple: true },
  config: { type: 'string', short: 'c' },
  host: { type: 'string' },
  port: { type: 'string' },
  'admin-port': { type: 'string' },
  workers: { type: 'string' },
  'ignore-unsupported': { type: 'boolean', default: false },
  // Apollo Router's names
  listen: { type: 'string' },
  log: { type: 'string' },
  'hot-reload': { type: 'boolean' },
} as const;

/** The types of the flags that take more than any text: a fault then has the name of the flag, not of its variable. */
const typedFlags = [
  ['host', host],
  ['port', port],
  ['admin-port', port],
  ['workers', workerCount],
] as const;

/**
 * The environment with the flags of the command line: `--workers N` is `WEB_CONCURRENCY=N`. Flags and variables of
 * Apollo Router are synonyms of the gateway's own, which override them.
 *
 * @param isTerminal true when a person reads the log
 * @throws {UsageError} for an unknown flag, and for a value that a flag does not take
 */
export function withFlags(env: Environment, args: readonly string[], isTerminal = false): Environment {
  const { flags } = readArgs(args, options);
  for (const [name, type] of typedFlags) {
    const text = flags[name];
    if (text !== undefined) {
      flagValue<unknown>(`--${name}`, text, type);
    }
  }
  const subgraphs = readSubgraphs(flags);
  const ofRouter = fromRouterVariables(env);
  const listen = flags.listen === undefined ? {} : listenVariables('--listen', flags.listen);
  const variables = {
    LOG_LEVEL: flags.log === undefined ? undefined : logLevelOf('--log', flags.log),
    [subgraphsVariable]: subgraphs,
    SUPERGRAPH_PATH: flags.supergraph,
    ROUTER_CONFIG_PATH: flags.config,
    HOST: flags.host ?? listen['HOST'],
    PORT: flags.port ?? listen['PORT'],
    ADMIN_PORT: flags['admin-port'],
    WEB_CONCURRENCY: flags.workers,
    UNSUPPORTED_KEYS: flags['ignore-unsupported'] ? 'warn' : undefined,
  };
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  const development =
    flags.dev || ofRouter.isDevelopment
      ? {
          NODE_ENV: 'development',
          ROUTER_CONFIG_OVERLAY_PATH: developmentOverlayPath,
          ...(isTerminal && { LOG_FORMAT: 'text' }),
        }
      : {};
  return { ...development, ...ofRouter.variables, ...env, ...Object.fromEntries(given) };
}

/** The flags `--subgraph` as one text. */
function readSubgraphs({ subgraph, supergraph, dev }: Flags<typeof options>): string | undefined {
  if (subgraph === undefined) {
    return undefined;
  }
  if (!dev || supergraph !== undefined) {
    throw new UsageError(
      dev
        ? '--subgraph composes a supergraph of its own, and does not take --supergraph beside it'
        : '--subgraph takes --dev beside it; for production, compose a file: meridian-gateway compose',
    );
  }
  subgraph.forEach((text) => flagValue('--subgraph', text, namedUrl));
  const text = subgraph.join(' ');
  flagValue('--subgraph', text, subgraphUrls);
  return text;
}
