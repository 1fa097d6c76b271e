import { generatedSecret, integer, secretList, url, variable } from '@meridian/settings/environment';
import type { Environment } from '@meridian/settings/environment';

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

/** The variables that such a service takes. */
export const resourceVariables = {
  ETAG_KEYS: secretList({ requiredIn: 'production' }),
  CURSOR_KEYS: secretList({ requiredIn: 'production' }),
  TENANT_REQUESTS_PER_SECOND: variable(integer({ minimum: 1, maximum: 1_000_000 }), { default: 10_000 }),
  REDIS_URL: variable(url(['redis', 'rediss']), { optional: true, secret: true }),
};

/** The values of those variables. */
export function resourceConfigOf(read: Environment<typeof resourceVariables>): ResourceConfig {
  return {
    etagKeys: read.ETAG_KEYS ?? generatedSecret(),
    cursorKeys: read.CURSOR_KEYS ?? generatedSecret(),
    tenantRequestsPerSecond: read.TENANT_REQUESTS_PER_SECOND,
    redisUrl: read.REDIS_URL,
  };
}
