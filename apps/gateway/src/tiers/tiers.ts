import type { Caller } from '@meridian/auth';
import type { Metrics } from '@meridian/telemetry';
import { Counter } from 'prom-client';

import type { CostRules, TierRules } from '../config/traffic-limits.ts';
import { claimTexts } from '../operation/has-claim.ts';
import { RequestError } from '../errors/request-error.ts';
import type { RequestInterceptor } from '../interceptors/gateway-request.ts';

/** The name of a caller's tier: the first that the claim has; undefined for a caller without a tier. */
export function tierOf(
  { claim, byName, fallback }: TierRules,
  caller: Pick<Caller, 'claims'> | undefined,
): string | undefined {
  if (claim === undefined) {
    return fallback;
  }
  const named = claimTexts(caller, claim);
  return byName.keys().find((name) => named.includes(name)) ?? fallback;
}

/** The limits of cost for a caller: by its tier, and by the throttle of its tenant. */
export function costRulesByCaller(rules: TierRules): (caller: Caller | undefined) => CostRules {
  const { claim, byName, none } = rules;
  if (claim === undefined && none.cost.throttleCapacity === none.costWithoutTenant.throttleCapacity) {
    return () => none.cost;
  }
  return (caller) => {
    const tier = byName.get(tierOf(rules, caller) ?? '') ?? none;
    return caller === undefined ? tier.costWithoutTenant : tier.cost;
  };
}

/** The limits of cost of the tier that may have the most: an operation over them runs for no caller. */
export function highestCostRules({ byName, none, fallback, isForAnonymous }: TierRules): CostRules {
  const tiers = [...byName.values(), ...(fallback === undefined ? [none] : [])];
  const rules = tiers.map(({ cost, costWithoutTenant }) => (isForAnonymous ? costWithoutTenant : cost));
  return rules.reduce((highest, next) => (maxCostOf(next) > maxCostOf(highest) ? next : highest));
}

function maxCostOf({ demand, throttleCapacity = Number.POSITIVE_INFINITY }: CostRules): number {
  return Math.min(demand?.isEnforced === true ? demand.max : Number.POSITIVE_INFINITY, throttleCapacity);
}

/** The same tiers with other limits of cost. */
export function mapCosts(rules: TierRules, change: (cost: CostRules) => CostRules): TierRules {
  const changed = (tier: TierRules['none']): TierRules['none'] => ({
    ...tier,
    cost: change(tier.cost),
    costWithoutTenant: change(tier.costWithoutTenant),
  });
  return {
    ...rules,
    none: changed(rules.none),
    byName: new Map(Array.from(rules.byName, ([name, tier]) => [name, changed(tier)])),
  };
}

type TierRejections = Counter<'tier' | 'code'>;

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
