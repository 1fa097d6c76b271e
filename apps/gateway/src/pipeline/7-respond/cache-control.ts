import type { Directives } from '../../http/parse-cache-control.ts';
import { parseCacheControl } from '../../http/parse-cache-control.ts';
import type { CacheHint } from '../../operation/compiled-operation.ts';

export interface CachePolicyInput {
  /** The hint of the selected fields; absent when they have none. */
  readonly hint: CacheHint | undefined;
  /** The `Cache-Control` fields of the subgraphs that took part. */
  readonly ofSubgraphs: readonly string[];
  /** True when the response depends on the caller. */
  readonly isForCaller: boolean;
}

/**
 * The `Cache-Control` of a response without errors: as restrictive as the most restrictive hint or subgraph.
 *
 * Spec: Graph endpoint, "Cache header"; Authentication, rule 4.
 */
export function cacheControl({ hint, ofSubgraphs, isForCaller }: CachePolicyInput): string {
  const directives = ofSubgraphs.map(parseCacheControl);
  const maxAgeSeconds = Math.min(hint?.maxAgeSeconds ?? 0, ...directives.map(freshSeconds));
  const isPrivate =
    isForCaller || hint?.isPrivate === true || directives.some((names) => names.has('private'));
  if (maxAgeSeconds <= 0) {
    return noStore(isForCaller);
  }
  return `max-age=${maxAgeSeconds}, ${isPrivate ? 'private' : 'public'}`;
}

/** The `Cache-Control` of a response that may not be cached. */
export function noStore(isForCaller: boolean): string {
  return isForCaller ? 'private, no-store' : 'no-store';
}

/** `Vary` and `Cache-Control` of a response that may not be cached. */
export function uncachedFields(isForCaller: boolean, isCodable: boolean) {
  return { Vary: varyBy(isForCaller, isCodable), 'Cache-Control': noStore(isForCaller) };
}

/** The fields of a request on which a response depends. */
export function varyBy(byCaller: boolean, byCoding: boolean): string {
  const fields = byCaller ? 'Accept, Authorization' : 'Accept';
  return byCoding ? `${fields}, Accept-Encoding` : fields;
}

/** The time for which a subgraph lets its part be reused: infinite if it does not say. */
function freshSeconds(directives: Directives): number {
  if (directives.has('no-store') || directives.has('no-cache')) {
    return 0;
  }
  const maxAge = directives.get('max-age');
  if (maxAge === undefined) {
    return Number.POSITIVE_INFINITY;
  }
  return /^\d+$/.test(maxAge) ? Number(maxAge) : 0;
}
