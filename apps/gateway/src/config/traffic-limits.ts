import type { JsonBounds } from '@meridian/json';
import type { RouterConfig } from '@meridian/router-config';
import type { RateLimit } from '@meridian/shared-state';

/** Limits on what clients may ask of the gateway, one request at a time and all together. */
export interface TrafficLimits {
  readonly load: LoadLimits;
  readonly cost: CostRules;
  readonly throttle: Throttling;
  readonly tiers: TierRules;
  /** Absent where clients cannot send files. */
  readonly uploads: UploadLimits | undefined;
  /** Absent where rejected requests do not count for the readiness. */
  readonly readiness: RejectionLimits | undefined;
}

/** `health_check.readiness`. */
export interface RejectionLimits {
  /** The most rejections in a sampling interval. */
  readonly allowed: number;
  readonly samplingMs: number;
  /** The time without readiness after more. */
  readonly unreadyMs: number;
}

/** `meridian.tiers`, and the limits of callers without a tier. */
export interface TierRules {
  /** The claim that names a caller's tier; undefined where there are no tiers. */
  readonly claim: string | undefined;
  /** The tier of callers whose claim names none. */
  readonly fallback: string | undefined;
  readonly byName: ReadonlyMap<string, Tier>;
  /** Of callers without a tier. */
  readonly none: Tier;
  /** False where `authorization.require_authentication` rejects callers without a token. */
  readonly isForAnonymous: boolean;
}

/** The limits of the callers of a tier. */
export interface Tier {
  readonly cost: CostRules;
  /** The same for callers without a tenant, whom no limit of a tenant holds back. */
  readonly costWithoutTenant: CostRules;
  /** The limit of each of its tenants. */
  readonly tenant: RateLimit | undefined;
}

/** `preview_file_uploads`. */
export interface UploadLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** The time until the operation has arrived; undefined for the time of the request. */
  readonly operationTimeoutMs: number | undefined;
  /** Of the operation. */
  readonly json: JsonBounds;
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
  /** Absent where no subgraph has a limit of its own, and while `demand_control` is off. */
  readonly subgraphs?: SubgraphCostRules | undefined;
  /** The most that the throttle could ever let the caller have at once; absent where it does not count cost. */
  readonly throttleCapacity?: number | undefined;
}

/** `demand_control.strategy.static_estimated.subgraph`. */
export interface SubgraphCostRules {
  readonly isEnforced: boolean;
  /** The highest cost of an operation in a subgraph; undefined for any. */
  readonly maxOf: (subgraph: string) => number | undefined;
  /** The length of a list in a subgraph whose length no directive gives. */
  readonly listSizeOf: (subgraph: string) => number;
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

/** The processes that count together. */
interface Sharing {
  readonly workers: number;
  readonly hasRedis: boolean;
}

/**
 * The limits of one of several workers. What a process counts for itself is divided, so that all workers together admit
 * as much as one process. A shared Redis has one count for all; then only the fallback for its outages is divided.
 */
export function trafficLimits(
  file: RouterConfig,
  { workers, hasRedis }: Sharing = { workers: 1, hasRedis: false },
): TrafficLimits {
  const { demand_control: demand, health_check: health, meridian, traffic_shaping } = file;
  const { router } = traffic_shaping;
  const divided = (count: number): number => Math.max(1, Math.floor(count / workers));
  const rateLimit = (limit: typeof router.global_rate_limit, isShared: boolean): RateLimit | undefined =>
    limit && {
      capacity: isShared ? limit.capacity : divided(limit.capacity),
      intervalMs: limit.interval,
    };
  const { unit, local_share: localShare } = meridian.throttle;
  const global = rateLimit(router.global_rate_limit, hasRedis);
  const tenant = rateLimit(meridian.throttle.tenant, hasRedis);
  const subgraphs = subgraphCosts(demand);
  const costRules = (max: number | undefined, ...limits: readonly (RateLimit | undefined)[]): CostRules => {
    const capacities = limits.flatMap((limit) => limit?.capacity ?? []);
    return {
      demand:
        demand.enabled && demand.strategy !== undefined
          ? { max: max ?? demand.strategy.static_estimated.max, isEnforced: demand.mode === 'enforce' }
          : undefined,
      subgraphs,
      throttleCapacity: unit === 'cost' && capacities.length > 0 ? Math.min(...capacities) : undefined,
    };
  };
  const tierWith = (max: number | undefined, limit: RateLimit | undefined): Tier => ({
    cost: costRules(max, global, limit),
    costWithoutTenant: costRules(max, global),
    tenant: limit,
  });
  const none = tierWith(undefined, tenant);
  const { claim, default: fallback, limits: named = new Map() } = meridian.tiers ?? {};
  return {
    load: {
      maxInFlight: router.concurrency_limit && divided(router.concurrency_limit),
      maxEventLoopDelayMs: meridian.overload.max_event_loop_delay,
      maxBodyBytes: divided(meridian.overload.max_body_bytes),
    },
    cost: none.cost,
    tiers: {
      claim,
      fallback,
      byName: new Map(
        Array.from(named, ([name, { max_cost: max, throttle }]) => [
          name,
          tierWith(max, rateLimit(throttle, hasRedis) ?? tenant),
        ]),
      ),
      none,
      isForAnonymous: !file.authorization.require_authentication,
    },
    throttle: {
      unit,
      global,
      tenant,
      peer: rateLimit(router.global_rate_limit, false),
      fallbackFraction: hasRedis ? localShare / workers : localShare,
    },
    uploads: uploadLimits(file),
    readiness: health.readiness && {
      allowed: divided(health.readiness.allowed),
      samplingMs: health.readiness.interval.sampling,
      unreadyMs: health.readiness.interval.unready ?? 2 * health.readiness.interval.sampling,
    },
  };
}

function uploadLimits({
  preview_file_uploads: { enabled, protocols },
  meridian,
}: RouterConfig): UploadLimits | undefined {
  const { multipart } = protocols;
  const { max_files: maxFiles, max_file_size: maxFileBytes, operation_body_timeout } = multipart.limits;
  const { json_max_depth: maxDepth, json_max_values: maxValues } = meridian.limits;
  return enabled && multipart.enabled
    ? { maxFiles, maxFileBytes, operationTimeoutMs: operation_body_timeout, json: { maxDepth, maxValues } }
    : undefined;
}

function subgraphCosts({
  enabled,
  mode,
  strategy,
}: RouterConfig['demand_control']): SubgraphCostRules | undefined {
  if (!enabled || strategy === undefined) {
    return undefined;
  }
  const { list_size: listSize, subgraph } = strategy.static_estimated;
  const { all, subgraphs } = subgraph;
  return [all, ...subgraphs.values()].every(({ max }) => max === undefined)
    ? undefined
    : {
        isEnforced: mode === 'enforce',
        maxOf: (name) => subgraphs.get(name)?.max ?? all.max,
        listSizeOf: (name) => subgraphs.get(name)?.list_size ?? all.list_size ?? listSize,
      };
}

/** The length of a list whose length no directive gives. Router has no default; without demand control, it is 10. */
export function assumedListSize({ demand_control: { strategy } }: RouterConfig): number {
  return strategy?.static_estimated.list_size ?? 10;
}
