import type { Budget, RateLimit, RedisConnection, SharedTexts } from '@meridian/shared-state';
import { connectRedis, createSharedTexts, openBudget } from '@meridian/shared-state';
import type { Logger } from '@meridian/telemetry';

import type { AutomaticQueriesConfig, GatewayConfig, Throttling } from '../config/gateway-config.ts';
import type { ThrottleOptions } from '../pipeline/4-admit/throttle.ts';

/** What the replicas of a gateway have in common, each for itself where they share no Redis. */
export interface SharedState {
  /** What callers may use. Limits that are those of before go on with what is left of them. */
  readonly budgets: (throttle: Throttling) => ThrottleOptions;
  /** The operations that clients have registered with any replica. */
  readonly registeredTexts: SharedTexts | undefined;
  readonly close: () => void;
}

/** Apollo Router's own default for registered operations. */
const registeredTtlSeconds = 24 * 3600;

export function openSharedState({ redisUrl, automaticQueries }: GatewayConfig, logger: Logger): SharedState {
  const redis = redisUrl === undefined ? undefined : connectRedis({ url: redisUrl, logger });
  const redisOfQueries =
    automaticQueries?.redis === undefined ? undefined : connectRedis({ ...automaticQueries.redis, logger });

  const known = new Map<string, Budget>();
  const budget = (name: string, limit: RateLimit | undefined, localShare: number): Budget | undefined => {
    if (limit === undefined) {
      return undefined;
    }
    const key = JSON.stringify([name, limit, localShare]);
    const created = known.get(key) ?? openBudget({ redis, name, limit, localShare });
    known.set(key, created);
    return created;
  };
  return {
    budgets: ({ global, tenant, localShare }) => ({
      global: budget('gateway', global, localShare),
      tenant: budget('gateway-tenant', tenant, localShare),
    }),
    registeredTexts: automaticQueries && sharedTexts(automaticQueries, redisOfQueries ?? redis),
    close() {
      redis?.close();
      redisOfQueries?.close();
    },
  };
}

function sharedTexts(
  { redis: own }: AutomaticQueriesConfig,
  redis: RedisConnection | undefined,
): SharedTexts | undefined {
  return (
    redis &&
    createSharedTexts({
      redis,
      name: own?.name ?? 'apq',
      ttlSeconds: own?.ttlSeconds ?? registeredTtlSeconds,
    })
  );
}
