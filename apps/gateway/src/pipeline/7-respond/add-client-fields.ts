import type { HttpResponse } from '@meridian/http';

import type { ClientFields } from '../../subgraphs/response-fields.ts';
import { cacheControl } from './cache-control.ts';

/** The cache's rules that no header field of a subgraph loosens. */
export interface ResponseRules {
  readonly isForCaller: boolean;
  /** By the schema: `@cacheControl(scope: PRIVATE)`. */
  readonly isPrivate: boolean;
  /** False for a response that lacks fields for want of authorization. */
  readonly mayStore: boolean;
}

/**
 * A response with header fields of subgraphs, which are sent beside it, is no longer for everybody: no shared cache may
 * store it, and no cache one with a cookie. `Vary` and `Cache-Control` of subgraphs become part of it.
 */
export function addClientFields(
  response: HttpResponse,
  { list, setsCookie, vary, cacheControl: ofSubgraphs }: ClientFields,
  { isForCaller, isPrivate, mayStore }: ResponseRules,
): HttpResponse {
  const { headers = {} } = response;
  const { 'Cache-Control': own = 'no-store', Vary: ownVary } = headers;
  // Only the response to a GET without errors has a validator; any other is not stored.
  const freshness =
    ofSubgraphs === undefined || headers['ETag'] === undefined || !mayStore
      ? own
      : cacheControl({
          hint: { maxAgeSeconds: Number.POSITIVE_INFINITY, isPrivate },
          ofSubgraphs: ofSubgraphs.map(withTime),
          isForCaller,
        });
  return {
    ...response,
    headers: {
      ...headers,
      'Cache-Control': setsCookie
        ? 'private, no-store'
        : list.length === 0
          ? freshness
          : freshness.replace('public', 'private'),
      ...(vary !== undefined && { Vary: ownVary === undefined ? vary : `${ownVary}, ${vary}` }),
    },
  };
}

/** A subgraph that names no time allows none. */
function withTime(field: string | undefined): string {
  return field !== undefined && /(?:^|[\s,])max-age=/i.test(field) ? field : 'no-store';
}
