import { problem } from '@meridian/problem-details';

import { callerOf } from './authenticate.ts';
import type { Middleware } from './middleware.ts';

/** The maximum of requests that a process handles at once. */
export interface LoadLimits {
  /** Of all tenants together. */
  readonly maxInFlight: number;
  /** Of one tenant. */
  readonly maxTenantInFlight: number;
}

/**
 * Refuses with 503 `unavailable` what is more than the process can finish; runs after `authenticate`. To be refused at once
 * costs a client less than an answer that comes too late.
 *
 * It is fair: where the process is full, it refuses only tenants that have their equal share of it already, so that no
 * tenant is kept out by others. All together may thus have twice `maxInFlight` for a moment.
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
