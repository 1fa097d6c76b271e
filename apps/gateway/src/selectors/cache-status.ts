import type { StoredParts } from '@meridian/executor';

/** The result of a look-up in the cache of responses, by Apollo Router's words. */
export function cacheStatus({ hits, misses }: StoredParts): 'hit' | 'partial_hit' | 'miss' {
  return misses === 0 ? 'hit' : hits === 0 ? 'miss' : 'partial_hit';
}
