import type { Middleware } from '@meridian/http';
import { throttleTenants } from '@meridian/http';
import type { RedisConnection } from '@meridian/shared-state';
import { openRateLimiter } from '@meridian/shared-state';

export interface TenantThrottleOptions {
  /** The Redis that replicas share; absent: each process counts for itself. */
  readonly redis?: RedisConnection | undefined;
  readonly tenantRequestsPerSecond: number;
}

/** The part of a tenant's requests that each replica has for itself while Redis does not answer. */
const fallbackFraction = 0.5;

/**
 * Creates the stage that holds each tenant to its requests in a second, in all replicas of a service together where they have
 * a Redis. While it does not answer, each replica has a share of its own: never open, never down.
 *
 * @param service the replicas that give the same name count together
 */
export function tenantThrottle(
  service: string,
  { redis, tenantRequestsPerSecond: capacity }: TenantThrottleOptions,
): Middleware {
  const requests = openRateLimiter({
    redis,
    name: `${service}-tenant`,
    limit: { capacity, intervalMs: 1000 },
    fallbackFraction,
  });
  return throttleTenants(requests, capacity);
}
