import type { SubgraphInterceptor } from '@meridian/executor';
import { SubgraphFailure } from '@meridian/executor';
import type { RateLimit } from '@meridian/shared-state';
import { createLocalRateLimiter } from '@meridian/shared-state';

/** Sends as many requests as the limit allows; others fail at once with REQUEST_RATE_LIMITED. */
export function limitRate<Run>(limit: RateLimit): SubgraphInterceptor<Run> {
  const rateLimiter = createLocalRateLimiter(limit);
  return (request, next) => {
    const consumption = rateLimiter.consume('all', 1);
    if (consumption.isConsumed) {
      return next(request);
    }
    const retryAfterMs = consumption.waitMs;
    const message = 'the rate limit of the subgraph is exceeded';
    return Promise.reject(new SubgraphFailure('REQUEST_RATE_LIMITED', message, { retryAfterMs }));
  };
}
