import type { RouterConfig } from '@meridian/router-config';

/** The stores in which query plans outlive a graph and its process. */
export interface PlanStoresConfig {
  readonly directory: PlanDirectoryConfig | undefined;
  readonly redis: RedisPlansConfig | undefined;
}

export interface PlanDirectoryConfig {
  readonly path: string;
  /** On disk. */
  readonly maxBytes: number;
}

export interface RedisPlansConfig {
  readonly url: string;
  /** Undefined: as in the URL. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly timeoutMs: number;
  readonly ttlSeconds: number;
  /** True: each use of a plan begins its time anew. */
  readonly resetsTtl: boolean;
  readonly namespace: string;
  readonly isRequiredToStart: boolean;
}

export function planStoresConfig({ meridian, supergraph }: RouterConfig): PlanStoresConfig {
  const { plan_cache: directory } = meridian;
  const { redis } = supergraph.query_planning.cache;
  return {
    directory: directory && { path: directory.path, maxBytes: directory.max_bytes },
    redis: redis && {
      // The section takes exactly one.
      url: redis.urls.join(),
      username: redis.username,
      password: redis.password,
      timeoutMs: redis.timeout,
      ttlSeconds: Math.ceil(redis.ttl / 1000),
      resetsTtl: redis.reset_ttl,
      namespace: redis.namespace,
      isRequiredToStart: redis.required_to_start,
    },
  };
}
