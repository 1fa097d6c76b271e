import type { SubgraphField, SubgraphResponse } from '@meridian/executor';

import type { ResponseRules } from '../subgraphs/response-fields.ts';
import { namedTag } from './cache-tags.ts';
import type { CacheOptions, CachedCall } from './cached-call.ts';
import type { ResponseParts } from './cached-response.ts';
import type { NewEntry } from './entry-store.ts';
import type { Freshness } from './freshness.ts';
import { freshnessOf } from './freshness.ts';

/** For how long a response is kept; undefined for one that is not. */
export function keptFor(
  { keys }: CachedCall,
  { cacheControl }: SubgraphResponse,
  fields: readonly SubgraphField[] | undefined,
  { responseRules, settings: { ttlMs, ignoredHeaders } }: CacheOptions,
): Freshness | undefined {
  // Without fields, another request has brought it, which keeps it.
  if (fields === undefined || (responseRules !== undefined && passesOn(responseRules, fields))) {
    return undefined;
  }
  const isShareable = keys.scopes.includes('public');
  const freshness = freshnessOf({ cacheControl, fields, isShareable, ttlMs, ignoredHeaders });
  return freshness !== undefined && keys.scopes.includes(freshness.scope) ? freshness : undefined;
}

/** True where clients get a field of the response, which a stored one would lack. */
function passesOn({ apply }: ResponseRules, fields: readonly SubgraphField[]): boolean {
  const shown = (list: readonly SubgraphField[]): string =>
    JSON.stringify(Array.from(apply(list), ([name, { values }]) => [name, values]));
  return shown(fields.filter(([name]) => name !== 'cache-control')) !== shown([]);
}

interface Keeping {
  /** Those that the response is for. */
  readonly items: readonly string[];
  readonly response: ResponseParts;
  readonly freshness: Freshness;
  readonly epoch: string;
}

/** Keeps a response, item by item. Never rejects. */
export async function keepResponse(
  { keys, isOfEntities, tagsOf }: CachedCall,
  { items, response, freshness: { ttlMs, clientMs, scope }, epoch }: Keeping,
  { subgraph, store, metrics }: CacheOptions,
): Promise<void> {
  const nowMs = Date.now();
  const startMs = performance.now();
  try {
    const named = namedTags(response.extensions, isOfEntities);
    const entries = items.flatMap((item, index): NewEntry[] => {
      const text = response.items[index] ?? 'null';
      const entry = {
        key: keys.keyOf(scope, item),
        text,
        expiresMs: nowMs + ttlMs,
        reusableUntilMs: nowMs + clientMs,
        scope,
        tags: [...new Set([...tagsOf(item), ...named(index)])],
      };
      // Malformed JSON fails here.
      return JSON.parse(text) === null ? [] : [entry];
    });
    if (entries.length > 0) {
      await store.keep(epoch, entries);
      metrics.onInsert(subgraph, (performance.now() - startMs) / 1000);
    }
  } catch {
    // The response is malformed, or the connection to Redis has logged the reason.
    metrics.onFailure('insert', subgraph);
  }
}

/** The tags that a response names for one of its entities, or for its root fields. */
function namedTags(
  { apolloEntityCacheTags: ofEntities, apolloCacheTags: ofRoot }: ResponseParts['extensions'],
  isOfEntities: boolean,
): (index: number) => readonly string[] {
  return (index) => {
    const tags: unknown = isOfEntities ? (Array.isArray(ofEntities) ? ofEntities[index] : []) : ofRoot;
    return Array.isArray(tags)
      ? tags.filter((tag): tag is string => typeof tag === 'string').map(namedTag)
      : [];
  };
}
