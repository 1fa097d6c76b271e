import type { PlanStore } from '@meridian/executor';
import { RouterConfigError } from '@meridian/router-config';
import { connectRedis } from '@meridian/shared-state';
import type { Logger } from '@meridian/telemetry';

import type { PlanStoreSettings, RedisPlanSettings } from '../config/gateway-config.ts';
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
  { directory, redis }: PlanStoreSettings,
  logger: Logger,
): Promise<PlanStores> {
  const [disk, connected] = await Promise.all([
    directory && openPlanDirectory({ path: directory.path, maxBytes: directory.max_bytes, logger }),
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
  { urls, username, password, timeout: timeoutMs, required_to_start: isRequired }: RedisPlanSettings,
  logger: Logger,
): Promise<Awaited<ReturnType<typeof connectRedis>>> {
  const redis = await connectRedis({ url: urls.join(), username, password, timeoutMs, logger });
  const responds = await redis.isConnected();
  if (!responds && isRequired) {
    redis.close();
    throw new RouterConfigError([
      `supergraph.query_planning.cache.redis: does not respond within ${timeoutMs} ms, and required_to_start is true`,
    ]);
  }
  return redis;
}
