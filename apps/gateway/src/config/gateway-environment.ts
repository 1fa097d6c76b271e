import {
  durationMs,
  host,
  integer,
  logVariables,
  modeOf,
  port,
  readEnvironment,
  string,
  url,
} from '@meridian/config';

/** Environment variables by name, as far as they are set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the gateway's own variables (router.yaml names others), and the mode that NODE_ENV sets.
 *
 * @throws {EnvironmentError} which names every fault
 */
export function readGatewayEnvironment(env: Environment) {
  const variables = readEnvironment(env, {
    HOST: host({ optional: true }),
    PORT: port({ optional: true }),
    ADMIN_HOST: host({ optional: true }),
    ADMIN_PORT: port({ optional: true }),
    SUPERGRAPH_PATH: string({ default: 'supergraph.graphql' }),
    ROUTER_CONFIG_PATH: string({ default: 'router.yaml' }),
    ROUTER_CONFIG_OVERLAY_PATH: string({ optional: true }),
    REDIS_URL: url(['redis', 'rediss'], { optional: true, secret: true }),
    DATABASE_URL: url(['postgres', 'postgresql'], { optional: true, secret: true }),
    JWT_ISSUER: string({ optional: true }),
    JWT_AUDIENCE: string({ default: 'meridian' }),
    SHUTDOWN_GRACE_MS: durationMs({ default: 10_000 }),
    ...logVariables,
    WEB_CONCURRENCY: integer({ minimum: 1, maximum: 256 }, { default: 1 }),
    DEVELOPMENT_IDENTITY_PATH: string({ optional: true }),
  });
  return { ...variables, mode: modeOf(env) };
}

export type GatewayEnvironment = ReturnType<typeof readGatewayEnvironment>;
