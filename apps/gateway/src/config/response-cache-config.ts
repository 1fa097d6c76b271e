import type { RouterConfig } from '@meridian/router-config';

import { isSameAddress } from './listen-addresses.ts';

/** The cache of subgraphs' responses. */
export type ResponseCacheConfig = NonNullable<ReturnType<typeof responseCacheConfig>>;

export type CacheSettings = NonNullable<ReturnType<ResponseCacheConfig['settingsOf']>>;

/** Undefined where nothing is kept. */
export function responseCacheConfig({
  response_cache: { enabled, subgraph, invalidation: endpoint },
  supergraph,
  authentication,
  meridian,
}: RouterConfig) {
  if (!enabled) {
    return undefined;
  }
  const ignoredHeaders = new Set(
    meridian.response_cache.ignored_headers.map((header) => header.toLowerCase()),
  );
  const jwt = authentication?.router?.jwt;
  const verifiesAuthorization =
    jwt === undefined || (jwt.header_name.toLowerCase() === 'authorization' && jwt.sources.length === 0);
  const { all, subgraphs } = subgraph;
  return {
    /** Undefined for a subgraph whose responses are not kept. */
    settingsOf(name: string) {
      const own = subgraphs.get(name);
      if (!(own?.enabled ?? all.enabled)) {
        return undefined;
      }
      const isInvalidated = own?.invalidation.enabled ?? all.invalidation.enabled ?? false;
      return {
        /** Where the response does not say. */
        ttlMs: own?.ttl ?? own?.redis?.ttl ?? all.ttl ?? all.redis?.ttl,
        /** The key of the context that tells callers apart. */
        privateId: own?.private_id ?? all.private_id,
        /** Undefined for the Redis of the process. */
        redis: own?.redis ?? all.redis,
        /** The place of that section in router.yaml. */
        section: `response_cache.subgraph.${own?.redis === undefined ? 'all' : `subgraphs.${name}`}.redis`,
        /** The secret of those who may invalidate its responses; undefined where they may not be. */
        sharedKey: isInvalidated ? (own?.invalidation.shared_key ?? all.invalidation.shared_key) : undefined,
        /** True where the token that the gateway verifies is the one in `Authorization`. */
        verifiesAuthorization,
        /** In lower case. */
        ignoredHeaders,
      };
    },
    /** Undefined where no requests invalidate responses. */
    endpoint: endpoint && {
      /** Undefined where clients of the graph come too. */
      listen: isSameAddress(endpoint.listen, supergraph.listen) ? undefined : endpoint.listen,
      path: endpoint.path,
    },
  };
}

/** Checks of the section that no single key can make. */
export function responseCacheChecks(
  { response_cache: { enabled, subgraph }, coprocessor, meridian }: RouterConfig,
  hasRedis: boolean,
): { readonly faults: readonly string[]; readonly notes: readonly string[] } {
  const faults: string[] = [];
  const notes: string[] = [];
  if (!enabled) {
    return { faults, notes };
  }
  const { all, subgraphs } = subgraph;
  const used = [
    ...(all.enabled ? [['response_cache.subgraph.all', all] as const] : []),
    ...Array.from(
      subgraphs,
      ([name, own]) => [`response_cache.subgraph.subgraphs.${name}`, own] as const,
    ).filter(([, own]) => own.enabled ?? all.enabled),
  ];
  const runsCode = meridian.hooks.length > 0 || coprocessor !== undefined;
  for (const [at, { redis, private_id: privateId, invalidation }] of used) {
    if ((redis ?? all.redis) === undefined && !hasRedis) {
      faults.push(`${at}: needs redis, or the variable REDIS_URL`);
    }
    if (
      invalidation.enabled === true &&
      (invalidation.shared_key ?? all.invalidation.shared_key) === undefined
    ) {
      faults.push(`${at}.invalidation: needs shared_key`);
    }
    if (privateId !== undefined && !privateId.startsWith('meridian::') && !runsCode) {
      notes.push(
        `${at}.private_id: nothing sets ${privateId} without a hook or a coprocessor, so private responses are not kept; meridian::subject is the caller of a token`,
      );
    }
  }
  return { faults, notes };
}
