import type { TrustedIssuer } from '@meridian/auth';
import {
  baseUrl,
  durationMs,
  host,
  integer,
  logVariables,
  modeOf,
  port,
  readEnvironment,
  url,
  variable,
} from '@meridian/settings/environment';
import type { Environment, Mode } from '@meridian/settings/environment';
import type { LoadLimits, WaitingLimits } from '@meridian/http';
import type { LogFormat, LogLevel } from '@meridian/telemetry';

import { issuerVariables, trustedIssuersOf } from './trusted-issuers.ts';

/** The configuration of every service with a database. */
export interface ServiceConfig {
  readonly mode: Mode;
  readonly listen: { readonly host: string; readonly port: number };
  readonly admin: { readonly host: string; readonly port: number };
  /** The URL of the store, with the service's role. */
  readonly databaseUrl: string;
  /** Of a session of the same store, to listen for notifications, where the other URL leads to a pooler. */
  readonly databaseListenUrl: string | undefined;
  readonly issuers: readonly TrustedIssuer[];
  /** Where `<problemBaseUrl>/problems/<kind>` is served: by the accounts service. */
  readonly problemBaseUrl: string;
  readonly requestDeadlineMs: number;
  /** Shorter than the request's deadline, so that the server cancels a slow statement, and its outcome is known. */
  readonly statementTimeoutMs: number;
  readonly shutdownGraceMs: number;
  /** The most connections of each listener at a time; undefined to derive it from the limit of the heap. */
  readonly maxConnections: number | undefined;
  readonly load: LoadLimits;
  readonly waiting: WaitingLimits;
  /** Of a subgraph: the URL of gateways whose callbacks subscriptions may use; undefined for none. */
  readonly subscriptionCallbackUrl: string | undefined;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** The share of successful requests that have a line in the log. */
  readonly requestLogRatio: number;
}

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** Defaults that differ between services. */
export interface ServiceDefaults {
  readonly port: number;
  readonly adminPort: number;
  readonly requestDeadlineMs: number;
}

/**
 * Reads the configuration of a service that needs no variable of its own.
 *
 * @throws {EnvironmentError} with every variable at fault
 */
export function readServiceConfig(env: ProcessEnvironment, defaults: ServiceDefaults): ServiceConfig {
  return serviceConfigOf(env, readEnvironment(env, serviceVariables(env, defaults)));
}

/** The variables that every service takes; read them together with the service's own. */
export function serviceVariables(env: ProcessEnvironment, defaults: ServiceDefaults) {
  return {
    HOST: variable(host, { default: modeOf(env) === 'development' ? '127.0.0.1' : '0.0.0.0' }),
    PORT: variable(port, { default: defaults.port }),
    ADMIN_HOST: variable(host, { default: '127.0.0.1' }),
    ADMIN_PORT: variable(port, { default: defaults.adminPort }),
    DATABASE_URL: variable(url(['postgres', 'postgresql']), { secret: true }),
    DATABASE_LISTEN_URL: variable(url(['postgres', 'postgresql']), { optional: true, secret: true }),
    ...issuerVariables,
    PROBLEM_BASE_URL: variable(baseUrl, { requiredIn: 'production' }),
    REQUEST_DEADLINE_MS: variable(durationMs, { default: defaults.requestDeadlineMs }),
    SHUTDOWN_GRACE_MS: variable(durationMs, { default: 10_000 }),
    MAX_CONNECTIONS: variable(integer({ minimum: 1, maximum: 1_000_000 }), { optional: true }),
    MAX_REQUESTS_IN_FLIGHT: variable(integer({ minimum: 1, maximum: 1_000_000 }), { default: 500 }),
    MAX_TENANT_REQUESTS_IN_FLIGHT: variable(integer({ minimum: 1, maximum: 1_000_000 }), { default: 200 }),
    MAX_WAITING_REQUESTS: variable(integer({ minimum: 1, maximum: 1_000_000 }), { default: 5000 }),
    MAX_TENANT_WAITING_REQUESTS: variable(integer({ minimum: 1, maximum: 1_000_000 }), { default: 2000 }),
    SUBSCRIPTION_CALLBACK_URL: variable(url(['http', 'https']), { optional: true }),
    ...logVariables,
  };
}

/** The values of those variables. */
export function serviceConfigOf(
  env: ProcessEnvironment,
  read: Environment<ReturnType<typeof serviceVariables>>,
): ServiceConfig {
  return Object.freeze({
    mode: modeOf(env),
    listen: { host: read.HOST, port: read.PORT },
    admin: { host: read.ADMIN_HOST, port: read.ADMIN_PORT },
    databaseUrl: read.DATABASE_URL,
    databaseListenUrl: read.DATABASE_LISTEN_URL,
    issuers: trustedIssuersOf(read),
    problemBaseUrl: read.PROBLEM_BASE_URL ?? developmentProblemBaseUrl,
    requestDeadlineMs: read.REQUEST_DEADLINE_MS,
    statementTimeoutMs: Math.ceil(read.REQUEST_DEADLINE_MS * 0.9),
    shutdownGraceMs: read.SHUTDOWN_GRACE_MS,
    maxConnections: read.MAX_CONNECTIONS,
    load: {
      maxInFlight: read.MAX_REQUESTS_IN_FLIGHT,
      maxTenantInFlight: read.MAX_TENANT_REQUESTS_IN_FLIGHT,
    },
    waiting: {
      maxWaiting: read.MAX_WAITING_REQUESTS,
      maxTenantWaiting: read.MAX_TENANT_WAITING_REQUESTS,
    },
    subscriptionCallbackUrl: read.SUBSCRIPTION_CALLBACK_URL,
    logLevel: read.LOG_LEVEL,
    logFormat: read.LOG_FORMAT ?? 'json',
    requestLogRatio: read.LOG_REQUEST_RATIO,
  });
}

/** The address of the accounts service under `pnpm start`; it serves the pages of all kinds. */
const developmentProblemBaseUrl = 'http://127.0.0.1:4001';
