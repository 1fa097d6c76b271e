import type { IncomingMessage } from 'node:http';

import { hasValidator } from '@meridian/etag';
import { problem, type Problem } from '@meridian/problem-details';

/**
 * The `If-Match` of a write, which has to have one. Spec: States and transitions.
 *
 * @throws {Problem} `if-match-required`, also for an empty one
 */
export function ifMatchOf(request: IncomingMessage): string {
  const ifMatch = request.headers['if-match'];
  if (!hasValidator(ifMatch)) {
    throw problem('if-match-required', 'A write needs If-Match with the ETag of a prior read.');
  }
  return ifMatch;
}

/** @param resource what has changed, such as `account` */
export function staleEtag(resource: string): Problem {
  return problem('stale-etag', `The ${resource} has changed since the ETag in If-Match was read.`);
}
