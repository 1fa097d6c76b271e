import { RouterConfigError } from '@meridian/router-config';
import type { RedisConnection } from '@meridian/shared-state';
import { connectRedis } from '@meridian/shared-state';
import type { Logger } from '@meridian/telemetry';

import { clientCertificates } from '../config/client-certificates.ts';
import type { RedisPlanSettings } from '../config/gateway-config.ts';

/** The members that sections `redis` of router.yaml share. */
export type RedisSettings = Pick<
  RedisPlanSettings,
  'urls' | 'username' | 'password' | 'tls' | 'timeout' | 'required_to_start'
>;

/**
 * Connects to the Redis of a section, in the background unless the start requires it.
 *
 * @throws {RouterConfigError} for certificates that cannot be used, and when the start requires it, and it does not respond within the timeout
 */
export async function connectConfiguredRedis(
  section: string,
  { urls, username, password, tls, timeout: timeoutMs, required_to_start: isRequired }: RedisSettings,
  logger: Logger,
): Promise<RedisConnection> {
  const redis = await connectRedis({
    url: urls.join(),
    username,
    password,
    certificates: clientCertificates(`${section}.tls`, tls),
    timeoutMs,
    logger,
  });
  if (isRequired && !(await redis.isConnected())) {
    redis.close();
    throw new RouterConfigError([
      `${section}: does not respond within ${timeoutMs} ms, and required_to_start is true`,
    ]);
  }
  return redis;
}

/** The prefix of keys in Redis: graphs share none. After a colon, a tenant of a gateway of one graph could have its name. */
export function ofGraph(prefix: string, graph: string | undefined): string {
  return graph === undefined ? prefix : `${prefix}@${graph}`;
}
