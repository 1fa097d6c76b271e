import { join } from 'node:path';

import type { PlanStore } from '@meridian/executor';
import type { RedisConnection } from '@meridian/shared-state';
import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig, RedisPlanSettings } from '../config/gateway-config.ts';
import { connectConfiguredRedis, ofGraph } from './connect-configured-redis.ts';
import { openPlanDirectory } from './plan-directory.ts';

/** @throws {RouterConfigError} when a Redis that the start requires does not respond */
export async function openPlanStores(
  { planStores: { directory, redis }, graph }: Pick<GatewayConfig, 'graph' | 'planStores'>,
  logger: Logger,
) {
  const [disk, connected] = await Promise.all([
    directory &&
      openPlanDirectory({
        // Each trims its directory to its own limit.
        path: graph === undefined ? directory.path : join(directory.path, graph),
        maxBytes: directory.max_bytes,
        logger,
      }),
    redis && connectConfiguredRedis('supergraph.query_planning.cache.redis', redis, logger),
  ]);
  // So that the start finds its plans.
  await connected?.isConnected();
  return {
    /** In the order in which they are searched. A plan from a later one is kept in the earlier. */
    stores: [
      ...(disk === undefined ? [] : [{ storage: 'disk', store: disk } as const]),
      ...(redis === undefined || connected === undefined
        ? []
        : [
            {
              storage: 'redis',
              store: createRedisPlans(connected, { ...redis, namespace: ofGraph(redis.namespace, graph) }),
            } as const,
          ]),
    ],
    close: (): void => connected?.close(),
  };
}

/** Creates a store of plans in Redis. While Redis does not respond, look-ups reject at once after the first. */
function createRedisPlans(
  redis: RedisConnection,
  { namespace, ttl, reset_ttl: resetsTtl }: RedisPlanSettings,
): PlanStore {
  const keyOf = (key: string): string => `meridian:${namespace}:${key}`;
  const expiration = { type: 'EX', value: Math.ceil(ttl / 1000) } as const;
  return {
    async find(key) {
      const text = await redis.ask((client) =>
        resetsTtl ? client.getEx(keyOf(key), expiration) : client.get(keyOf(key)),
      );
      return text ?? undefined;
    },
    keep(key, text) {
      redis
        .ask((client) => client.set(keyOf(key), text, { expiration }))
        .catch(() => {
          // Already logged when Redis stopped responding. The next gateway plans the operation itself.
        });
    },
  };
}
