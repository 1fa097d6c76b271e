import type { Middleware } from '@meridian/http';
import { throttleTenants } from '@meridian/http';
import type { RedisConnection } from '@meridian/shared-state';
import { openRateLimiter } from '@meridian/shared-state';

export interface TenantThrottleOptions {
  /** The Redis that replicas share; without it, each process counts for itself. */
  readonly redis?: RedisConnection | undefined;
  readonly tenantRequestsPerSecond: number;
}

/** The part of a tenant's limit that each replica grants while Redis does not respond. */
const fallbackFraction = 0.5;

/**
 * Creates the middleware that limits the requests of each tenant per second, over all replicas of a service that share
 * a Redis. While Redis does not respond, each replica grants its own part, so the limit never fails open or closed.
 *
 * @param service its name; replicas with the same name count together
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
