import type { PlanStore } from '@meridian/executor';
import { RouterConfigError } from '@meridian/router-config';
import { connectRedis } from '@meridian/shared-state';
import type { Logger } from '@meridian/telemetry';

import type { PlanStoresConfig, RedisPlansConfig } from '../config/plan-stores-config.ts';
import { openPlanDirectory } from './plan-directory.ts';
import { createRedisPlans } from './redis-plans.ts';

/** A store of plans, by its kind. */
export interface NamedPlanStore {
  readonly storage: 'disk' | 'redis';
  readonly store: PlanStore;
}

/** The stores of a gateway. */
export interface PlanStores {
  /** In the order in which they are searched. A plan from a later one is kept in the earlier. */
  readonly stores: readonly NamedPlanStore[];
  readonly close: () => void;
}

/** @throws {RouterConfigError} when a Redis that the start requires does not respond */
export async function openPlanStores(
  { directory, redis }: PlanStoresConfig,
  logger: Logger,
): Promise<PlanStores> {
  const [disk, connected] = await Promise.all([
    directory && openPlanDirectory({ ...directory, logger }),
    redis && connect(redis, logger),
  ]);
  return {
    stores: [
      ...(disk === undefined ? [] : [{ storage: 'disk', store: disk } as const]),
      ...(redis === undefined || connected === undefined
        ? []
        : [{ storage: 'redis', store: createRedisPlans(connected, redis) } as const]),
    ],
    close: () => connected?.close(),
  };
}

/** Waits for the first response, so that the start finds its plans, but no longer than for any other. */
async function connect(
  config: RedisPlansConfig,
  logger: Logger,
): Promise<Awaited<ReturnType<typeof connectRedis>>> {
  const redis = await connectRedis({ ...config, logger });
  const responds = await redis.isConnected();
  if (!responds && config.isRequiredToStart) {
    redis.close();
    throw new RouterConfigError([
      `supergraph.query_planning.cache.redis: does not respond within ${config.timeoutMs} ms, and required_to_start is true`,
    ]);
  }
  return redis;
}
