import { problem } from '@meridian/problem-details';
import type { RateLimiter } from '@meridian/shared-state';

import { callerOf } from './authenticate.ts';
import type { Middleware } from './middleware.ts';

/**
 * Rejects a tenant that exceeds its requests per second, with 429 `throttled`, `Retry-After`, and the fields
 * of draft-ietf-httpapi-ratelimit-headers; place it after `authenticate`.
 *
 * @param requests of a tenant, `requestsPerSecond` in each second, in this process or in all that share the
 *   rate limiter
 */
export function throttleTenants(requests: RateLimiter, requestsPerSecond: number): Middleware {
  return async (request, _response, next) => {
    const take = await requests.consume(callerOf(request).tenantId, 1);
    if (!take.isTaken) {
      const seconds = Math.max(1, Math.ceil(take.waitMs / 1000));
      throw problem('throttled', `More than ${requestsPerSecond} requests of the tenant in a second.`, {
        headers: {
          'Retry-After': String(seconds),
          RateLimit: `"tenant";r=0;t=${seconds}`,
          'RateLimit-Policy': `"tenant";q=${requestsPerSecond};w=1`,
        },
      });
    }
    next();
  };
}
