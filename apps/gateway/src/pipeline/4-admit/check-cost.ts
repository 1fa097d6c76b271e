import type { Logger } from '@meridian/telemetry';

import type { CostMetrics, CostResult } from '../../telemetry/cost-metrics.ts';
import type { CostRules } from '../../config/traffic-limits.ts';
import { requestError } from '../../errors/request-error.ts';

/**
 * Rejects an operation that costs more than the limit, or more than the throttle could ever let through. It
 * is rejected outright rather than throttled, since a retry could never succeed.
 *
 * @param context of the request; its log is read only where there is something to log
 * @param metrics absent where no request is the reason for the check
 * @returns the same for an operation that is over a limit that is not enforced
 * @throws {RequestError} COST_ESTIMATED_TOO_EXPENSIVE
 */
export function checkCost(
  cost: number,
  { demand, throttleCapacity = Number.POSITIVE_INFINITY }: CostRules,
  context: { readonly log: Pick<Logger, 'warn'> },
  metrics?: CostMetrics,
): CostResult {
  const isOverDemand = demand !== undefined && cost > demand.max;
  const max = demand?.isEnforced ? Math.min(demand.max, throttleCapacity) : throttleCapacity;
  const isRejected = cost > max;
  const result = isOverDemand || isRejected ? 'COST_ESTIMATED_TOO_EXPENSIVE' : 'COST_OK';
  metrics?.onEstimated(cost, result);
  if (isOverDemand && !demand.isEnforced) {
    context.log.warn(
      { cost, max: demand.max },
      'an operation exceeds the cost limit; limits are not enforced',
    );
  }
  if (isRejected) {
    throw requestError('COST_ESTIMATED_TOO_EXPENSIVE', `The operation is over the cost of ${max}`, {
      extensions: { 'cost.estimated': cost, 'cost.max': max },
    });
  }
  return result;
}
