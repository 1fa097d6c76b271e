import type { Logger } from '@meridian/telemetry';

import type { CostMetrics } from '../../telemetry/cost-metrics.ts';
import type { CostRules } from '../../config/traffic-limits.ts';
import { requestError } from '../../errors/request-error.ts';

export interface CostObservers {
  readonly log: Pick<Logger, 'warn'>;
  /** Absent where no request is the reason for the check. */
  readonly metrics?: CostMetrics | undefined;
}

/**
 * Rejects an operation that costs more than the limit, or more than the throttle could ever let through. It
 * is rejected outright rather than throttled, since a retry could never succeed.
 *
 * @throws {RequestError} COST_ESTIMATED_TOO_EXPENSIVE
 */
export function checkCost(
  cost: number,
  { demand, throttleCapacity = Number.POSITIVE_INFINITY }: CostRules,
  { log, metrics }: CostObservers,
): void {
  const isTooExpensive = cost > Math.min(demand?.max ?? Number.POSITIVE_INFINITY, throttleCapacity);
  metrics?.onEstimated(cost, isTooExpensive ? 'COST_ESTIMATED_TOO_EXPENSIVE' : 'COST_OK');
  if (demand !== undefined && !demand.isEnforced && cost > demand.max) {
    log.warn({ cost, max: demand.max }, 'an operation exceeds the cost limit; limits are not enforced');
  }
  const max = Math.min(demand?.isEnforced ? demand.max : Number.POSITIVE_INFINITY, throttleCapacity);
  if (cost > max) {
    throw requestError('COST_ESTIMATED_TOO_EXPENSIVE', `The operation is over the cost of ${max}`, {
      extensions: { 'cost.estimated': cost, 'cost.max': max },
    });
  }
}
