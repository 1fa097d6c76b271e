import {
  durationMs,
  host,
  integer,
  logVariables,
  modeOf,
  oneOf,
  port,
  readEnvironment,
  text,
  url,
  variable,
} from '@meridian/settings/environment';

import { otelVariables } from './otel-environment.ts';

/** Environment variables by name, as far as they are set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The processes that a gateway may serve in. */
export const workerCount = integer({ minimum: 1, maximum: 256 });

/**
 * Reads the gateway's own variables (router.yaml names others), and the mode that NODE_ENV sets.
 *
 * @throws {EnvironmentError} which names every fault
 */
export function readGatewayEnvironment(env: Environment) {
  const variables = readEnvironment(env, {
    HOST: variable(host, { optional: true }),
    PORT: variable(port, { optional: true }),
    ADMIN_HOST: variable(host, { optional: true }),
    ADMIN_PORT: variable(port, { optional: true }),
    SUPERGRAPH_PATH: variable(text, { default: 'supergraph.graphql' }),
    ROUTER_CONFIG_PATH: variable(text, { default: 'router.yaml' }),
    ROUTER_CONFIG_OVERLAY_PATH: variable(text, { optional: true }),
    UNSUPPORTED_KEYS: variable(oneOf(['error', 'warn']), { optional: true }),
    REDIS_URL: variable(url(['redis', 'rediss']), { optional: true, secret: true }),
    DATABASE_URL: variable(url(['postgres', 'postgresql']), { optional: true, secret: true }),
    JWT_ISSUER: variable(text, { optional: true }),
    JWT_AUDIENCE: variable(text, { optional: true }),
    SHUTDOWN_GRACE_MS: variable(durationMs, { optional: true }),
    MAX_CONNECTIONS: variable(integer({ minimum: 1, maximum: 1_000_000 }), { optional: true }),
    ...logVariables,
    ...otelVariables,
    WORKER_TIMEOUT_MS: variable(integer({ minimum: 2000, maximum: 86_400_000 }), { default: 10_000 }),
    WEB_CONCURRENCY: variable(workerCount, { default: 1 }),
    CALLBACK_SECRET: variable(text, { optional: true, secret: true }),
    REMOTE_FILES_PATH: variable(text, { default: '.meridian/remote' }),
    REMOTE_FILES_EVERY_MS: variable(durationMs, { default: 10_000 }),
    REMOTE_FILES_TIMEOUT_MS: variable(durationMs, { default: 30_000 }),
    REMOTE_FILES_TOKEN: variable(text, { optional: true, secret: true }),
    AWS_ACCESS_KEY_ID: variable(text, { optional: true }),
    AWS_SECRET_ACCESS_KEY: variable(text, { optional: true, secret: true }),
    AWS_SESSION_TOKEN: variable(text, { optional: true, secret: true }),
    AWS_REGION: variable(text, { default: 'us-east-1' }),
    AWS_ENDPOINT_URL_S3: variable(url(['http', 'https']), { optional: true }),
    OCI_USERNAME: variable(text, { optional: true }),
    OCI_PASSWORD: variable(text, { optional: true, secret: true }),
    DEVELOPMENT_IDENTITY_PATH: variable(text, { optional: true }),
    GRAPH_PAGE_PATH: variable(text, { optional: true }),
  });
  return { ...variables, mode: modeOf(env) };
}

export type GatewayEnvironment = ReturnType<typeof readGatewayEnvironment>;
