import { problem } from '@meridian/problem-details';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { callerOf } from './authenticate.ts';
import type { Stage } from './stage.ts';

/**
 * Refuses a tenant that sends more requests in a second than its share, with 429 `throttled`, `Retry-After`, and the fields of
 * draft-ietf-httpapi-ratelimit-headers; stands behind `authenticate`. Each process counts for itself.
 */
export function throttleTenants(requestsPerSecond: number): Stage {
  const limiter = new RateLimiterMemory({ points: requestsPerSecond, duration: 1 });
  return async (request, _response, next) => {
    try {
      await limiter.consume(callerOf(request).tenantId);
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
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
