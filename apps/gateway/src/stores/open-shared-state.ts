import type { RateLimiter, RateLimit, RedisConnection, ApqStore } from '@meridian/shared-state';
import {
  connectRedis,
  createApqStore,
  createLocalRateLimiter,
  openRateLimiter,
} from '@meridian/shared-state';
import type { Logger } from '@meridian/telemetry';

import type { AutomaticQuerySettings, GatewayConfig } from '../config/gateway-config.ts';
import type { TrafficLimits } from '../config/traffic-limits.ts';
import type { ThrottleOptions } from '../interceptors/throttle.ts';
import { connectConfiguredRedis, ofGraph } from './connect-configured-redis.ts';

/** Apollo Router's own default for registered operations. */
const registeredTtlSeconds = 24 * 3600;

/** Opens the state that the replicas of a gateway share; without Redis, each has its own. */
export async function openSharedState(
  { redisUrl, automaticQueries, graph }: Pick<GatewayConfig, 'redisUrl' | 'automaticQueries' | 'graph'>,
  logger: Logger,
) {
  const redis = redisUrl === undefined ? undefined : await connectRedis({ url: redisUrl, logger });
  const own = automaticQueries?.redis;
  const redisOfQueries =
    own &&
    (await connectConfiguredRedis('apq.router.cache.redis', own, logger).catch((error: unknown) => {
      redis?.close();
      throw error;
    }));

  const known = new Map<string, RateLimiter>();
  const rateLimiter = (
    name: string,
    limit: RateLimit | undefined,
    fallbackFraction: number,
  ): RateLimiter | undefined => {
    if (limit === undefined) {
      return undefined;
    }
    const key = JSON.stringify([name, limit, fallbackFraction]);
    const created = known.get(key) ?? openRateLimiter({ redis, name, limit, fallbackFraction });
    known.set(key, created);
    return created;
  };
  return {
    /** Rate limiters of callers. Unchanged limits keep their counts. */
    rateLimiters({
      throttle,
      tiers: { byName, none },
    }: Pick<TrafficLimits, 'throttle' | 'tiers'>): ThrottleOptions {
      const { global, peer, fallbackFraction } = throttle;
      const limiters = Array.from(byName, ([name, { tenant }]) => {
        // A tier without a limit of its own counts with the callers without a tier.
        const isOwn = tenant !== none.tenant;
        const limiter = isOwn
          ? rateLimiter(ofGraph(`gateway-tier-${name}`, graph), tenant, fallbackFraction)
          : undefined;
        return limiter === undefined ? [] : [[name, limiter] as const];
      }).flat();
      return {
        global: rateLimiter(ofGraph('gateway', graph), global, fallbackFraction),
        tenant: rateLimiter(ofGraph('gateway-tenant', graph), none.tenant, fallbackFraction),
        tiers: limiters.length === 0 ? undefined : new Map(limiters),
        // Each process counts for itself: a flood of rejected requests never reaches Redis.
        peer: peer && createLocalRateLimiter(peer),
      };
    },
    /** The operations that clients have registered with any replica. */
    apqStore: automaticQueries && sharedTexts(automaticQueries, redisOfQueries ?? redis, graph),
    close(): void {
      redis?.close();
      redisOfQueries?.close();
    },
  };
}

function sharedTexts(
  { redis: own }: AutomaticQuerySettings,
  redis: RedisConnection | undefined,
  graph: string | undefined,
): ApqStore | undefined {
  return (
    redis &&
    createApqStore({
      redis,
      name: ofGraph(own?.namespace ?? 'apq', graph),
      ttlSeconds: own === undefined ? registeredTtlSeconds : Math.ceil(own.ttl / 1000),
      resetsTtl: own?.reset_ttl ?? true,
    })
  );
}
