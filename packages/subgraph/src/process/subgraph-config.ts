import { jwksUrl, type TrustedIssuer } from '@meridian/auth';
import {
  durationMs,
  type Mode,
  modeOf,
  port,
  readEnvironment,
  string,
  url,
  variable,
} from '@meridian/config';

/** What a subgraph's process runs with. */
export interface SubgraphConfig {
  readonly mode: Mode;
  readonly listen: { readonly host: string; readonly port: number };
  readonly admin: { readonly host: string; readonly port: number };
  /** Where the store is, as the service's role. */
  readonly databaseUrl: string;
  readonly issuers: readonly TrustedIssuer[];
  readonly problemBaseUrl: string;
  readonly requestDeadlineMs: number;
  /** Shorter than the request's deadline, so that a slow statement is cancelled by the server with a certain outcome. */
  readonly statementTimeoutMs: number;
  readonly shutdownGraceMs: number;
}

/** Where subgraphs differ when the environment says nothing. */
export interface SubgraphDefaults {
  readonly port: number;
  readonly adminPort: number;
  readonly requestDeadlineMs: number;
}

/** Throws an `EnvironmentError` that names every variable at fault. */
export function readSubgraphConfig(
  env: Readonly<Record<string, string | undefined>>,
  defaults: SubgraphDefaults,
): SubgraphConfig {
  const mode = modeOf(env);
  const read = readEnvironment(env, {
    HOST: string({ default: mode === 'development' ? '127.0.0.1' : '0.0.0.0' }),
    PORT: port({ default: defaults.port }),
    ADMIN_HOST: string({ default: '127.0.0.1' }),
    ADMIN_PORT: port({ default: defaults.adminPort }),
    DATABASE_URL: url(['postgres', 'postgresql'], { secret: true }),
    JWKS_URL: variable(jwksUrl, {}),
    JWT_ISSUER: string({}),
    JWT_AUDIENCE: string({ default: 'meridian' }),
    PROBLEM_BASE_URL: url(['https', 'http'], { requiredIn: 'production' }),
    REQUEST_DEADLINE_MS: durationMs({ default: defaults.requestDeadlineMs }),
    SHUTDOWN_GRACE_MS: durationMs({ default: 10_000 }),
  });
  return Object.freeze({
    mode,
    listen: { host: read.HOST, port: read.PORT },
    admin: { host: read.ADMIN_HOST, port: read.ADMIN_PORT },
    databaseUrl: read.DATABASE_URL,
    issuers: [{ issuer: read.JWT_ISSUER, audience: read.JWT_AUDIENCE, jwksUrl: read.JWKS_URL }],
    // The accounts service has the pages of all kinds.
    problemBaseUrl: read.PROBLEM_BASE_URL ?? 'http://127.0.0.1:4001',
    requestDeadlineMs: read.REQUEST_DEADLINE_MS,
    statementTimeoutMs: Math.ceil(read.REQUEST_DEADLINE_MS * 0.9),
    shutdownGraceMs: read.SHUTDOWN_GRACE_MS,
  });
}
