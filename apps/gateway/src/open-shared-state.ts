import type { Budget, RateLimit, RedisConnection, SharedTexts } from '@meridian/shared-state';
import {
  connectRedis,
  createLocalBudget,
  createSharedBudget,
  createSharedTexts,
} from '@meridian/shared-state';
import type { Logger } from '@meridian/telemetry';

import type { AutomaticQueriesConfig, GatewayConfig } from './config.ts';

/** What the replicas of a gateway have in common, each for itself where they share no Redis. */
export interface SharedState {
  /** What all callers together may use; absent: as much as they like. */
  readonly globalBudget: Budget | undefined;
  readonly tenantBudget: Budget | undefined;
  /** The operations that clients have registered with any replica. */
  readonly registeredTexts: SharedTexts | undefined;
  readonly close: () => void;
}

/** Apollo Router's own default for registered operations. */
const registeredTtlSeconds = 24 * 3600;

export function openSharedState(
  { redisUrl, throttle, automaticQueries }: GatewayConfig,
  logger: Logger,
): SharedState {
  const redis = redisUrl === undefined ? undefined : connectRedis({ url: redisUrl, logger });
  const redisOfQueries =
    automaticQueries?.redis === undefined ? undefined : connectRedis({ ...automaticQueries.redis, logger });

  const budget = (name: string, limit: RateLimit | undefined): Budget | undefined => {
    if (limit === undefined || redis === undefined) {
      return limit && createLocalBudget(limit);
    }
    return createSharedBudget({ redis, name, limit, localShare: throttle.localShare });
  };
  return {
    globalBudget: budget('gateway', throttle.global),
    tenantBudget: budget('gateway-tenant', throttle.tenant),
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
