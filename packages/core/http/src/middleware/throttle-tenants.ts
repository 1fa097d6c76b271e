import { problem } from '@meridian/problem-details';
import type { RateLimiter } from '@meridian/shared-state';

import { callerOf } from './authenticate.ts';
import type { Middleware } from './middleware.ts';
import { addResponseField } from '../exchange/request-context.ts';

/**
 * Rejects a tenant that exceeds its requests per second, with 429 `throttled` and `Retry-After`; place it after
 * `authenticate`. Every response has the fields of draft-ietf-httpapi-ratelimit-headers.
 *
 * @param requests of a tenant, `requestsPerSecond` in each second, in this process or in all that share the
 *   rate limiter
 */
export function throttleTenants(requests: RateLimiter, requestsPerSecond: number): Middleware {
  // The rest of an interval of one second, rounded up, is one second.
  const policy = `"tenant";q=${requestsPerSecond};w=1`;
  return async (request, response, next) => {
    const { isConsumed, left } = await requests.consume(callerOf(request).tenantId, 1);
    if (!isConsumed) {
      throw problem('throttled', `More than ${requestsPerSecond} requests of the tenant in a second.`, {
        headers: {
          'Retry-After': '1',
          RateLimit: '"tenant";r=0;t=1',
          'RateLimit-Policy': policy,
        },
      });
    }
    addResponseField(request, response, 'RateLimit', `"tenant";r=${left};t=1`);
    addResponseField(request, response, 'RateLimit-Policy', policy);
    next();
  };
}
