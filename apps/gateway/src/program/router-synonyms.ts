import { UsageError } from '@meridian/settings/command-line';

import type { Environment } from '../config/gateway-environment.ts';

/** Apollo Router's variables with a synonym here that takes the same text. */
const sameText = [
  ['APOLLO_ROUTER_CONFIG_PATH', 'ROUTER_CONFIG_PATH'],
  ['APOLLO_ROUTER_SUPERGRAPH_PATH', 'SUPERGRAPH_PATH'],
  ['APOLLO_ROUTER_SUPERGRAPH_URLS', 'SUPERGRAPH_PATH'],
] as const;

export interface FromRouterVariables {
  readonly variables: Environment;
  readonly isDevelopment: boolean;
}

/**
 * Translates the variables of Apollo Router that are set to the gateway's own.
 *
 * @throws {UsageError} for a value that has no equal here; it names the variable to use
 */
export function fromRouterVariables(env: Environment): FromRouterVariables {
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
export function listenVariables(name: string, text: string): Environment {
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
export function logLevelOf(name: string, text: string): string {
  const level = text.toLowerCase();
  if (level !== 'off' && !levels.has(level)) {
    throw new UsageError(
      `${name} is ${JSON.stringify(text)}; it takes one of ${[...levels].join(', ')}, off, as LOG_LEVEL does`,
    );
  }
  return level === 'off' ? 'silent' : level;
}
