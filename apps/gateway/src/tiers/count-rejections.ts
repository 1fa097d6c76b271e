import type { Metrics } from '@meridian/telemetry';
import { Counter } from 'prom-client';

import type { TierRules } from '../config/traffic-limits.ts';
import { RequestError } from '../errors/request-error.ts';
import type { RequestInterceptor } from '../interceptors/gateway-request.ts';
import { tierOf } from './tiers.ts';

export type TierRejections = Counter<'tier' | 'code'>;

/** Registers the count of requests that limits of rates and costs reject: once for a process. */
export function createTierRejections({ registry }: Metrics): TierRejections {
  return new Counter({
    name: 'meridian_tier_rejections_total',
    help: 'Requests that a limit of rates or costs rejects, by the tier of their callers and by code.',
    labelNames: ['tier', 'code'],
    registers: [registry],
  });
}

/** Counts rejections by the callers’ tiers; undefined where there are none. */
export function countTierRejections(
  tiers: TierRules,
  rejections: TierRejections,
): RequestInterceptor | undefined {
  if (tiers.claim === undefined) {
    return undefined;
  }
  return async (request, next) => {
    try {
      return await next(request);
    } catch (error) {
      const isLimit =
        error instanceof RequestError &&
        (error.code === 'REQUEST_RATE_LIMITED' || error.code === 'COST_ESTIMATED_TOO_EXPENSIVE');
      if (isLimit && request.isIdentified) {
        rejections.inc({ tier: tierOf(tiers, request.caller) ?? '', code: error.code });
      }
      throw error;
    }
  };
}
