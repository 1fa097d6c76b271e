import { readArgs } from '@meridian/command-line';

import { developmentOverlayPath } from '../default-files.ts';
import type { Environment } from '../config/gateway-environment.ts';

const options = {
  dev: { type: 'boolean', default: false },
  supergraph: { type: 'string' },
  config: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'admin-port': { type: 'string' },
  workers: { type: 'string' },
} as const;

/**
 * The environment with the flags of the command line: `--workers N` is `WEB_CONCURRENCY=N`.
 *
 * @throws {UsageError} for an unknown flag
 */
export function withFlags(env: Environment, args: readonly string[]): Environment {
  const { flags } = readArgs(args, options);
  const variables = {
    SUPERGRAPH_PATH: flags.supergraph,
    ROUTER_CONFIG_PATH: flags.config,
    HOST: flags.host,
    PORT: flags.port,
    ADMIN_PORT: flags['admin-port'],
    WEB_CONCURRENCY: flags.workers,
  };
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  const development = flags.dev
    ? { NODE_ENV: 'development', ROUTER_CONFIG_OVERLAY_PATH: developmentOverlayPath }
    : {};
  return { ...development, ...env, ...Object.fromEntries(given) };
}
