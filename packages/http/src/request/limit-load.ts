import { problem } from '@meridian/problem-details';

import { callerOf } from './authenticate.ts';
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
 * that already have their equal share, so other tenants still get in. All tenants together may thus briefly have twice
 * `maxInFlight`.
 *
 * Contract: Resource API, "Order of checks".
 */
export function limitLoad({ maxInFlight, maxTenantInFlight }: LoadLimits): Middleware {
  let inFlight = 0;
  const inFlightOf = new Map<string, number>();

  const leave = (tenantId: string): void => {
    inFlight -= 1;
    const ofTenant = (inFlightOf.get(tenantId) ?? 0) - 1;
    if (ofTenant > 0) {
      inFlightOf.set(tenantId, ofTenant);
    } else {
      inFlightOf.delete(tenantId);
    }
  };

  return (request, response, next) => {
    const { tenantId } = callerOf(request);
    const ofTenant = inFlightOf.get(tenantId) ?? 0;
    const equalShare = maxInFlight / (inFlightOf.size + (ofTenant === 0 ? 1 : 0));
    if (ofTenant >= maxTenantInFlight || (inFlight >= maxInFlight && ofTenant >= equalShare)) {
      throw problem('unavailable', 'Too many requests of the tenant are under way: try again later.');
    }
    inFlight += 1;
    inFlightOf.set(tenantId, ofTenant + 1);
    response.once('close', () => leave(tenantId));
    next();
  };
}
