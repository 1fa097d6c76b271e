import type { RouterConfig } from '@meridian/router-config';
import type { RateLimit } from '@meridian/shared-state';

/** Limits on what clients may ask of the gateway, one request at a time and all together. */
export interface TrafficLimits {
  readonly load: LoadLimits;
  readonly cost: CostRules;
  readonly throttle: Throttling;
}

export interface LoadLimits {
  /** The most requests under way. Default: unlimited. */
  readonly maxInFlight: number | undefined;
  /** The longest typical delay of the event loop. */
  readonly maxEventLoopDelayMs: number;
  /** The most bytes of request bodies under way, of all requests together. */
  readonly maxBodyBytes: number;
}

export interface CostRules {
  /** `demand_control`; absent while it is off. */
  readonly demand?: { readonly max: number; readonly isEnforced: boolean } | undefined;
  /** The most that the throttle could ever let through at once; absent where it does not count cost. */
  readonly throttleCapacity?: number | undefined;
}

export interface Throttling {
  /** The unit of the limits: an operation's cost, or 1 for each request. */
  readonly unit: 'cost' | 'request';
  readonly global: RateLimit | undefined;
  readonly tenant: RateLimit | undefined;
  /** The limit of requests that are rejected before their caller is known, for each peer. */
  readonly peer: RateLimit | undefined;
  /** The part of each limit that this gateway grants while Redis does not respond. */
  readonly fallbackFraction: number;
}

export function trafficLimits(file: RouterConfig): TrafficLimits {
  const throttle = throttling(file);
  return {
    load: {
      maxInFlight: file.traffic_shaping.router.concurrency_limit,
      maxEventLoopDelayMs: file.meridian.overload.max_event_loop_delay,
      maxBodyBytes: file.meridian.overload.max_body_bytes,
    },
    cost: costRules(file, throttle),
    throttle,
  };
}

function throttling({ traffic_shaping: traffic, meridian }: RouterConfig): Throttling {
  const global = rateLimit(traffic.router.global_rate_limit);
  return {
    unit: meridian.throttle.unit,
    global,
    tenant: rateLimit(meridian.throttle.tenant),
    peer: global,
    fallbackFraction: meridian.throttle.local_share,
  };
}

function rateLimit(
  limit: { readonly capacity: number; readonly interval: number } | undefined,
): RateLimit | undefined {
  return limit && { capacity: limit.capacity, intervalMs: limit.interval };
}

function costRules(
  { demand_control: demand }: RouterConfig,
  { unit, global, tenant }: Throttling,
): CostRules {
  const capacities = [global, tenant].flatMap((limit) => limit?.capacity ?? []);
  return {
    demand:
      demand.enabled && demand.strategy !== undefined
        ? { max: demand.strategy.static_estimated.max, isEnforced: demand.mode === 'enforce' }
        : undefined,
    throttleCapacity: unit === 'cost' && capacities.length > 0 ? Math.min(...capacities) : undefined,
  };
}
