import { jwksUrl, type TrustedIssuer } from '@meridian/auth';
import {
  durationMs,
  modeOf,
  port,
  readEnvironment,
  secretList,
  string,
  url,
  variable,
} from '@meridian/config';

/** What the accounts service runs with. */
export interface Config {
  readonly listen: { readonly host: string; readonly port: number };
  readonly admin: { readonly host: string; readonly port: number };
  /** Where the store is, as the service's role. */
  readonly databaseUrl: string;
  readonly issuers: readonly TrustedIssuer[];
  /** The first makes entity tags, the others are earlier ones that clients may still hold tags of. */
  readonly etagKeys: readonly string[];
  /** The first seals cursors, all of them open. */
  readonly cursorKeys: readonly string[];
  readonly problemBaseUrl: string;
  readonly requestDeadlineMs: number;
  /** Shorter than the request's deadline, so that a slow statement is cancelled by the server with a certain outcome. */
  readonly statementTimeoutMs: number;
  readonly shutdownGraceMs: number;
}

/** Throws an `EnvironmentError` that names every variable at fault. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const isDevelopment = modeOf(env) === 'development';
  const read = readEnvironment(env, {
    HOST: string({ default: isDevelopment ? '127.0.0.1' : '0.0.0.0' }),
    PORT: port({ default: 4001 }),
    ADMIN_HOST: string({ default: '127.0.0.1' }),
    ADMIN_PORT: port({ default: 8081 }),
    DATABASE_URL: url(['postgres', 'postgresql'], { secret: true }),
    JWKS_URL: variable(jwksUrl, {}),
    JWT_ISSUER: string({}),
    JWT_AUDIENCE: string({ default: 'meridian' }),
    ETAG_KEYS: secretList({}),
    CURSOR_KEYS: secretList({}),
    PROBLEM_BASE_URL: url(['https', 'http'], { requiredIn: 'production' }),
    REQUEST_DEADLINE_MS: durationMs({ default: 2_000 }),
    SHUTDOWN_GRACE_MS: durationMs({ default: 10_000 }),
  });
  return Object.freeze({
    listen: { host: read.HOST, port: read.PORT },
    admin: { host: read.ADMIN_HOST, port: read.ADMIN_PORT },
    databaseUrl: read.DATABASE_URL,
    issuers: [{ issuer: read.JWT_ISSUER, audience: read.JWT_AUDIENCE, jwksUrl: read.JWKS_URL }],
    etagKeys: read.ETAG_KEYS,
    cursorKeys: read.CURSOR_KEYS,
    problemBaseUrl: read.PROBLEM_BASE_URL ?? `http://127.0.0.1:${read.PORT}`,
    requestDeadlineMs: read.REQUEST_DEADLINE_MS,
    statementTimeoutMs: Math.ceil(read.REQUEST_DEADLINE_MS * 0.9),
    shutdownGraceMs: read.SHUTDOWN_GRACE_MS,
  });
}
