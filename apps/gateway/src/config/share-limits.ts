import type { RateLimit } from '@meridian/shared-state';

import type { TrafficLimits } from './traffic-limits.ts';

/** The part of a configuration that workers divide among them, and what that depends on. */
interface Limits extends TrafficLimits {
  readonly workers: number;
  readonly redisUrl: string | undefined;
}

/**
 * The configuration of one of several workers. Limits that a process counts for itself are divided, so that all
 * workers together admit as much as one process. A shared Redis has one count for all; then only the fallback for its
 * outages is divided.
 */
export function shareLimits<Config extends Limits>(config: Config): Readonly<Config> {
  const { workers, throttle, cost, load, redisUrl } = config;
  if (workers === 1) {
    return Object.freeze(config);
  }
  const shared = (count: number): number => Math.max(1, Math.floor(count / workers));
  const inProcess = (limit: RateLimit | undefined): RateLimit | undefined =>
    limit && { ...limit, capacity: shared(limit.capacity) };
  const maxInFlight = load.maxInFlight === undefined ? undefined : shared(load.maxInFlight);
  return Object.freeze({
    ...config,
    load: { ...load, maxInFlight, maxBodyBytes: shared(load.maxBodyBytes) },
    ...(redisUrl === undefined
      ? {
          throttle: {
            ...throttle,
            global: inProcess(throttle.global),
            tenant: inProcess(throttle.tenant),
            peer: inProcess(throttle.peer),
          },
          cost: {
            ...cost,
            throttleCapacity: cost.throttleCapacity === undefined ? undefined : shared(cost.throttleCapacity),
          },
        }
      : {
          throttle: {
            ...throttle,
            peer: inProcess(throttle.peer),
            fallbackFraction: throttle.fallbackFraction / workers,
          },
        }),
  });
}
