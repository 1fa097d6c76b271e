import type { RouterConfig } from '@meridian/router-config';

/** Operations of manifests, which requests name by identifiers. */
export interface PersistedQueries {
  readonly manifestPaths: readonly string[];
  readonly isReloaded: boolean;
  /** True when only operations of the manifest run. */
  readonly isSafelist: boolean;
  readonly isIdRequired: boolean;
  readonly logsUnknown: boolean;
  /** True when the operations of the manifest are planned before the first request. */
  readonly isPlannedAtStart: boolean;
  /** True when they are planned before a new supergraph or manifest takes over. */
  readonly isPlannedAtReload: boolean;
}

/** Operations that clients register by sending them. */
export interface AutomaticQueriesConfig {
  /** The number of entries that each gateway keeps in memory. */
  readonly maxEntries: number;
  /** The Redis in which they are shared. Default: the Redis that replicas share, if there is one. */
  readonly redis:
    | { readonly url: string; readonly timeoutMs: number; readonly ttlSeconds: number; readonly name: string }
    | undefined;
}

/** The default manifest: a file, where Router reads from its registry. */
const defaultManifest = 'persisted-queries.json';

/** Undefined where persisted queries are off. */
export function persistedQueries({ persisted_queries: queries }: RouterConfig): PersistedQueries | undefined {
  if (!queries.enabled) {
    return undefined;
  }
  return {
    manifestPaths: queries.local_manifests ?? [defaultManifest],
    // Router always polls its registry, and files only with `hot_reload`.
    isReloaded: queries.local_manifests === undefined || queries.hot_reload,
    isSafelist: queries.safelist.enabled,
    isIdRequired: queries.safelist.require_id,
    logsUnknown: queries.log_unknown,
    isPlannedAtStart: queries.experimental_prewarm_query_plan_cache.on_startup,
    isPlannedAtReload: queries.experimental_prewarm_query_plan_cache.on_reload,
  };
}

/** Undefined where clients may not register operations. */
export function automaticQueries({
  apq,
  persisted_queries: queries,
}: RouterConfig): AutomaticQueriesConfig | undefined {
  const isOn = apq.enabled !== false && !queries.safelist.enabled;
  if (!isOn) {
    return undefined;
  }
  const { in_memory: memory, redis } = apq.router.cache;
  return {
    maxEntries: memory.limit,
    redis: redis && {
      // The section takes exactly one.
      url: redis.urls.join(),
      timeoutMs: redis.timeout,
      ttlSeconds: Math.ceil(redis.ttl / 1000),
      name: redis.namespace,
    },
  };
}
