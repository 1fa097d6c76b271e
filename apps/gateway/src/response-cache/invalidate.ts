import { timingSafeEqual } from 'node:crypto';

import { isRecord } from '@meridian/settings/values';
import type { SubgraphInterceptor } from '@meridian/executor';
import { jsonMembers, wholeOf } from '@meridian/executor';
import type { Logger } from '@meridian/telemetry';

import type { CacheSettings } from '../config/response-cache-config.ts';
import type { InvalidationOrigin, ResponseCacheMetrics } from '../telemetry/response-cache-metrics.ts';
import { entityTag, namedTag, typeTag } from './cache-tags.ts';
import type { EntryStore } from './entry-store.ts';
import type { Run } from '../operation/run.ts';

/** A request to invalidate responses, in Apollo Router's form. */
export interface Invalidation {
  readonly kind: 'subgraph' | 'type' | 'entity' | 'cache_tag';
  readonly subgraphs: readonly string[];
  /** Undefined for all responses of the subgraphs. */
  readonly tag: string | undefined;
}

/** A subgraph whose responses are kept. */
export interface CachedSubgraph {
  readonly store: EntryStore;
  readonly sharedKey: CacheSettings['sharedKey'];
}

/** By the subgraph's name. */
export type CachedSubgraphs = ReadonlyMap<string, CachedSubgraph>;

/**
 * Reads a list of them: `{kind: subgraph, subgraph}`, `{kind: type, subgraph, type}`, `{kind: entity, subgraph, type, key}`
 * and `{kind: cache_tag, subgraphs, cache_tag}`. As in Apollo Router 2's entity cache, `kind: subgraph` may have `type`
 * and `key` too.
 *
 * @throws {TypeError} that names the first faulty one
 */
export function readInvalidations(value: unknown): readonly Invalidation[] {
  if (!Array.isArray(value)) {
    throw new TypeError('expected an array of invalidations');
  }
  return value.map((item: unknown, index) => {
    const read = isRecord(item) ? readOne(item) : undefined;
    if (read === undefined) {
      throw new TypeError(
        `item ${index} is not an invalidation: kind is subgraph, type or entity, with subgraph and then type and key, or cache_tag, with subgraphs and cache_tag`,
      );
    }
    return read;
  });
}

function readOne({
  kind,
  subgraph,
  subgraphs,
  type,
  key,
  cache_tag: name,
}: Readonly<Record<string, unknown>>): Invalidation | undefined {
  if (kind === 'cache_tag') {
    return isTexts(subgraphs) && typeof name === 'string'
      ? { kind, subgraphs, tag: namedTag(name) }
      : undefined;
  }
  if (typeof subgraph !== 'string') {
    return undefined;
  }
  const ofOne = { subgraphs: [subgraph] };
  const isKind = kind === 'subgraph' || kind === 'type' || kind === 'entity';
  if (isKind && kind !== 'type' && typeof type === 'string' && isRecord(key)) {
    return { kind: 'entity', ...ofOne, tag: entityTag(type, key) };
  }
  if (isKind && kind !== 'entity' && typeof type === 'string' && key === undefined) {
    return { kind: 'type', ...ofOne, tag: typeTag(type) };
  }
  return kind === 'subgraph' && type === undefined && key === undefined
    ? { kind, ...ofOne, tag: undefined }
    : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** True where the secret is the one of any subgraph. */
export function isKnownSecret(secret: string, cached: CachedSubgraphs): boolean {
  return [...cached.values()].some(({ sharedKey }) => isSame(sharedKey, secret));
}

/** True where the secret is the one of each subgraph that they name. */
export function mayInvalidate(
  invalidations: readonly Invalidation[],
  secret: string,
  cached: CachedSubgraphs,
): boolean {
  return invalidations
    .flatMap(({ subgraphs }) => subgraphs)
    .every((name) => isSame(cached.get(name)?.sharedKey, secret));
}

function isSame(key: string | undefined, secret: string): boolean {
  const [one, other] = [Buffer.from(key ?? ''), Buffer.from(secret)];
  return key !== undefined && one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Invalidates responses of subgraphs that allow it. Returns the number of responses that it removed.
 *
 * @throws {RedisUnavailable}
 */
export async function invalidate(
  invalidations: readonly Invalidation[],
  origin: InvalidationOrigin,
  { cached, metrics }: { readonly cached: CachedSubgraphs; readonly metrics: ResponseCacheMetrics },
): Promise<number> {
  const startMs = performance.now();
  const removals = invalidations.flatMap(({ kind, subgraphs, tag }) =>
    [...new Set(subgraphs)].map(async (subgraph) => {
      const { store, sharedKey } = cached.get(subgraph) ?? {};
      if (store === undefined || sharedKey === undefined) {
        return 0;
      }
      try {
        const count = await store.invalidate(tag);
        metrics.onInvalidated(kind, subgraph, count);
        return count;
      } catch (error) {
        metrics.onInvalidationFailure(kind, subgraph);
        throw error;
      }
    }),
  );
  const ends = await Promise.allSettled(removals);
  metrics.onInvalidation(origin, (performance.now() - startMs) / 1000);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
  return ends.reduce((sum, end) => sum + (end.status === 'fulfilled' ? end.value : 0), 0);
}

/**
 * Invalidates what the responses of a subgraph name in `extensions.invalidation`, before the run gets them: a client reads
 * what it has written.
 */
export function invalidateByExtensions(
  invalidate: (invalidations: readonly Invalidation[]) => Promise<unknown>,
  logger: Logger,
): SubgraphInterceptor<Run> {
  return async (request, next) => {
    const response = await next(request);
    if (response.text.includes('"invalidation"')) {
      try {
        const named = invalidationIn(response.text);
        if (named !== undefined) {
          await invalidate(readInvalidations(named));
        }
      } catch (error) {
        logger.warn({ err: error, subgraph: request.subgraph }, 'the invalidation in a response failed');
      }
    }
    return response;
  };
}

function invalidationIn(text: string | Buffer): unknown {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const range = jsonMembers(bytes, wholeOf(bytes))?.get('extensions');
  const extensions: unknown =
    range === undefined ? undefined : JSON.parse(bytes.toString('utf8', range.start, range.end));
  return isRecord(extensions) ? extensions['invalidation'] : undefined;
}
