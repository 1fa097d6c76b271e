import type { PlanStore } from '@meridian/executor';
import type { RedisConnection } from '@meridian/shared-state';

import type { RedisPlanSettings } from '../config/gateway-config.ts';

/** Creates a store of plans in Redis. While Redis does not respond, look-ups reject at once after the first. */
export function createRedisPlans(
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
