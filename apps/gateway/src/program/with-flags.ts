import type { Flags } from '@meridian/settings/command-line';
import { UsageError, flagValue, readArgs } from '@meridian/settings/command-line';
import { host, port } from '@meridian/settings/environment';

import { namedUrl, subgraphUrls, subgraphsVariable } from '../composition/subgraph-urls.ts';
import { developmentOverlayPath } from '../default-files.ts';
import { workerCount } from '../config/gateway-environment.ts';
import type { Environment } from '../config/gateway-environment.ts';

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

/** Apollo Router's variables with a synonym here that takes the same text. */
const sameText = [
  ['APOLLO_ROUTER_CONFIG_PATH', 'ROUTER_CONFIG_PATH'],
  ['APOLLO_ROUTER_SUPERGRAPH_PATH', 'SUPERGRAPH_PATH'],
  ['APOLLO_ROUTER_SUPERGRAPH_URLS', 'SUPERGRAPH_PATH'],
] as const;

interface FromRouterVariables {
  readonly variables: Environment;
  readonly isDevelopment: boolean;
}

/**
 * Translates the variables of Apollo Router that are set to the gateway's own.
 *
 * @throws {UsageError} for a value that has no equal here; it names the variable to use
 */
function fromRouterVariables(env: Environment): FromRouterVariables {
  const { APOLLO_ROUTER_LISTEN_ADDRESS: listen, APOLLO_ROUTER_LOG: log, APOLLO_ROUTER_DEV: dev } = env;
  if (env['APOLLO_ROUTER_SUPERGRAPH_URLS']?.includes(',')) {
    throw new UsageError('APOLLO_ROUTER_SUPERGRAPH_URLS holds several URLs; SUPERGRAPH_PATH takes one');
  }
  const renamed = sameText.map(([theirs, ours]) => [ours, env[theirs]] as const);
  return {
    variables: {
      ...Object.fromEntries(renamed.filter(([, value]) => value !== undefined)),
      ...(listen === undefined ? {} : listenVariables('APOLLO_ROUTER_LISTEN_ADDRESS', listen)),
      ...(log === undefined ? {} : { LOG_LEVEL: logLevelOf('APOLLO_ROUTER_LOG', log) }),
    },
    isDevelopment: dev === 'true',
  };
}

/** An address, such as `127.0.0.1:4000` or `[::1]:4000`. */
const address = /^(?:\[([\da-f:]+)\]|([^\s:]+)):(\d+)$/iu;

/** @throws {UsageError} for a text that is not an address */
function listenVariables(name: string, text: string): Environment {
  const [, ipv6, host = ipv6, port] = address.exec(text) ?? [];
  if (host === undefined) {
    throw new UsageError(`${name} is ${JSON.stringify(text)}; it takes an address, such as 127.0.0.1:4000`);
  }
  return { HOST: host, PORT: port };
}

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error']);

/**
 * Apollo Router's `off` is `silent`.
 *
 * @throws {UsageError} for a filter by modules of Apollo Router, which this gateway does not have
 */
function logLevelOf(name: string, text: string): string {
  const level = text.toLowerCase();
  if (level !== 'off' && !levels.has(level)) {
    throw new UsageError(
      `${name} is ${JSON.stringify(text)}; it takes one of ${[...levels].join(', ')}, off, as LOG_LEVEL does`,
    );
  }
  return level === 'off' ? 'silent' : level;
}
