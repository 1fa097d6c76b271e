import {
  generatedSecret,
  integer,
  readEnvironment,
  secretList,
  url,
  variable,
} from '@meridian/settings/environment';
import type { Environment } from '@meridian/settings/environment';

import { serviceConfigOf, serviceVariables } from './service-config.ts';
import type { ServiceConfig, ServiceDefaults } from './service-config.ts';

/** The configuration of a service with resources, in addition to a `ServiceConfig`. */
export interface ResourceConfig {
  /** The first makes entity tags. The others made tags that clients may still have. */
  readonly etagKeys: readonly string[];
  /** The first seals cursors; all of them open cursors. */
  readonly cursorKeys: readonly string[];
  /**
   * The requests that one tenant may send per second to all replicas with the same Redis; without Redis, to this
   * process.
   */
  readonly tenantRequestsPerSecond: number;
  /** The Redis or Valkey that replicas share; absent if each counts for itself. */
  readonly redisUrl?: string | undefined;
}

/** The part of it that a log of events needs. */
export type EventLogConfig = Pick<ResourceConfig, 'cursorKeys' | 'redisUrl'>;

export const eventLogVariables = {
  CURSOR_KEYS: secretList({ requiredIn: 'production' }),
  REDIS_URL: variable(url(['redis', 'rediss']), { optional: true, secret: true }),
};

/** The values of those variables. */
export function eventLogConfigOf(read: Environment<typeof eventLogVariables>): EventLogConfig {
  return { cursorKeys: read.CURSOR_KEYS ?? generatedSecret(), redisUrl: read.REDIS_URL };
}

/** The variables that a service with resources takes. */
export const resourceVariables = {
  ETAG_KEYS: secretList({ requiredIn: 'production' }),
  ...eventLogVariables,
  TENANT_REQUESTS_PER_SECOND: variable(integer({ minimum: 1, maximum: 1_000_000 }), { default: 10_000 }),
};

/** The values of those variables. */
export function resourceConfigOf(read: Environment<typeof resourceVariables>): ResourceConfig {
  return {
    etagKeys: read.ETAG_KEYS ?? generatedSecret(),
    ...eventLogConfigOf(read),
    tenantRequestsPerSecond: read.TENANT_REQUESTS_PER_SECOND,
  };
}

/**
 * Reads the configuration of a subgraph with a log of events that needs no variable of its own.
 *
 * @throws {EnvironmentError} with every variable at fault
 */
export function readEventLogServiceConfig(
  env: Readonly<Record<string, string | undefined>>,
  defaults: ServiceDefaults,
): ServiceConfig & EventLogConfig {
  const read = readEnvironment(env, { ...serviceVariables(env, defaults), ...eventLogVariables });
  return Object.freeze({ ...serviceConfigOf(env, read), ...eventLogConfigOf(read) });
}
