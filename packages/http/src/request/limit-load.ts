import { problem } from '@meridian/problem-details';

import { callerOf } from './authenticate.ts';
import { createFairLimit } from './fair-limit.ts';
import type { Middleware } from './middleware.ts';

/** The maximum of requests that a process handles at once. */
export interface LoadLimits {
  /** The requests of all tenants. */
  readonly maxInFlight: number;
  /** The requests of one tenant. */
  readonly maxTenantInFlight: number;
}

/**
 * Rejects requests that the process could not finish, with 503 `unavailable`; runs after `authenticate`. An immediate
 * rejection costs a client less than a response that comes too late. It is fair: a full process rejects only tenants
 * that already have their equal share (`createFairLimit`), so other tenants still get in.
 *
 * Contract: Resource API, "Order of checks".
 */
export function limitLoad({ maxInFlight, maxTenantInFlight }: LoadLimits): Middleware {
  const limit = createFairLimit(maxInFlight, maxTenantInFlight);
  return (request, response, next) => {
    const { tenantId } = callerOf(request);
    if (!limit.take(tenantId, 1)) {
      throw problem('unavailable', 'Too many requests of the tenant are under way: try again later.');
    }
    response.once('close', () => limit.release(tenantId, 1));
    next();
  };
}
