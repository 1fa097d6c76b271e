import type { RouterConfig } from '@meridian/router-config';
import type { RateLimit } from '@meridian/shared-state';

/** Limits on what clients may ask of the gateway, one request at a time and all together. */
export type TrafficLimits = ReturnType<typeof trafficLimits>;

/** `meridian.tiers`, and the limits of callers without a tier. */
export type TierRules = TrafficLimits['tiers'];

/** `preview_file_uploads`. */
export type UploadLimits = NonNullable<ReturnType<typeof uploadLimits>>;

export interface CostRules {
  /** `demand_control`; absent while it is off. */
  readonly demand?: { readonly max: number; readonly isEnforced: boolean } | undefined;
  /** Absent where no subgraph has a limit of its own, and while `demand_control` is off. */
  readonly subgraphs?: SubgraphCostRules | undefined;
  /** The most that the throttle could ever let the caller have at once; absent where it does not count cost. */
  readonly throttleCapacity?: number | undefined;
}

/** `demand_control.strategy.static_estimated.subgraph`. */
export type SubgraphCostRules = NonNullable<ReturnType<typeof subgraphCosts>>;

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
) {
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
  /** The limits of the callers of a tier. */
  const tierWith = (max: number | undefined, limit: RateLimit | undefined) => ({
    cost: costRules(max, global, limit),
    /** Of callers without a tenant, whom no limit of a tenant holds back. */
    costWithoutTenant: costRules(max, global),
    /** The limit of each of its tenants. */
    tenant: limit,
  });
  const none = tierWith(undefined, tenant);
  const { claim, default: fallback, limits: named = new Map() } = meridian.tiers ?? {};
  return {
    load: {
      /** The most requests under way; undefined for any number. */
      maxInFlight: router.concurrency_limit && divided(router.concurrency_limit),
      /** The longest typical delay of the event loop. */
      maxEventLoopDelayMs: meridian.overload.max_event_loop_delay,
      /** The most bytes of request bodies under way, of all requests together. */
      maxBodyBytes: divided(meridian.overload.max_body_bytes),
    },
    cost: none.cost,
    tiers: {
      /** The claim that names a caller's tier; undefined where there are no tiers. */
      claim,
      /** The tier of callers whose claim names none. */
      fallback,
      byName: new Map(
        Array.from(named, ([name, { max_cost: max, throttle }]) => [
          name,
          tierWith(max, rateLimit(throttle, hasRedis) ?? tenant),
        ]),
      ),
      /** Of callers without a tier. */
      none,
      /** False where callers without a token are rejected. */
      isForAnonymous: !file.authorization.require_authentication,
    },
    throttle: {
      /** The unit of the limits: an operation's cost, or 1 for each request. */
      unit,
      global,
      tenant,
      /** The limit of requests that are rejected before their caller is known, for each peer. */
      peer: rateLimit(router.global_rate_limit, false),
      /** The part of each limit that this gateway grants while Redis does not respond. */
      fallbackFraction: hasRedis ? localShare / workers : localShare,
    },
    uploads: uploadLimits(file),
    /** Undefined where rejected requests do not count for the readiness. */
    readiness: health.readiness && {
      /** The most rejections in a sampling interval. */
      allowed: divided(health.readiness.allowed),
      samplingMs: health.readiness.interval.sampling,
      /** The time without readiness after more. */
      unreadyMs: health.readiness.interval.unready ?? 2 * health.readiness.interval.sampling,
    },
  };
}

/** Undefined where clients cannot send files. */
function uploadLimits({ preview_file_uploads: { enabled, protocols }, meridian }: RouterConfig) {
  const { enabled: isMultipart, limits } = protocols.multipart;
  const { json_max_depth: maxDepth, json_max_values: maxValues } = meridian.limits;
  return enabled && isMultipart
    ? {
        maxFiles: limits.max_files,
        maxFileBytes: limits.max_file_size,
        /** The time until the operation has arrived; undefined for the time of the request. */
        operationTimeoutMs: limits.operation_body_timeout,
        /** Of the operation. */
        json: { maxDepth, maxValues },
      }
    : undefined;
}

function subgraphCosts({ enabled, mode, strategy }: RouterConfig['demand_control']) {
  if (!enabled || strategy === undefined) {
    return undefined;
  }
  const { list_size: listSize, subgraph } = strategy.static_estimated;
  const { all, subgraphs } = subgraph;
  return [all, ...subgraphs.values()].every(({ max }) => max === undefined)
    ? undefined
    : {
        isEnforced: mode === 'enforce',
        /** The highest cost of an operation in a subgraph; undefined for any. */
        maxOf: (name: string): number | undefined => subgraphs.get(name)?.max ?? all.max,
        /** The length of a list in a subgraph whose length no directive gives. */
        listSizeOf: (name: string): number => subgraphs.get(name)?.list_size ?? all.list_size ?? listSize,
      };
}

/** The length of a list whose length no directive gives. Router has no default; without demand control, it is 10. */
export function assumedListSize({ demand_control: { strategy } }: RouterConfig): number {
  return strategy?.static_estimated.list_size ?? 10;
}
