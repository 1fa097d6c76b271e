import type { IncomingMessage } from 'node:http';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

/**
 * The `If-Match` of a write, which is required. Spec: States and transitions.
 *
 * @throws {Problem} `if-match-required`, also for an empty one
 */
export function ifMatchOf(request: IncomingMessage): string {
  const ifMatch = request.headers['if-match'];
  if (ifMatch === undefined || ifMatch === '') {
    throw problem('if-match-required', 'A write needs If-Match with the ETag of a prior read.');
  }
  return ifMatch;
}

/**
 * The 412 for a stale `If-Match`. Its detail says when the value could never match, since reading again will
 * not help then.
 *
 * @param resource the changed resource, such as `account`
 */
export function staleEtag(resource: string, ifMatch: string): Problem {
  const detail = strongEntityTag.test(ifMatch)
    ? `The ${resource} has changed since the ETag in If-Match was read.`
    : 'If-Match takes one ETag, as it was read: in its quotes, and neither a list, * nor W/.';
  return problem('stale-etag', detail);
}

/** `DQUOTE *etagc DQUOTE`, RFC 9110 §8.8.3. */
const strongEntityTag = /^"[^"\s]*"$/;
