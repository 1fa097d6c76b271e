import type { IncomingMessage } from 'node:http';

import { negotiate } from '@meridian/http';
import { problem } from '@meridian/problem-details';

/**
 * Checks that `Accept` takes the one representation that a resource has.
 *
 * @param what is asked for, to begin a sentence with, such as `Transfers`
 * @throws {Problem} `not-acceptable`
 */
export function acceptsJson(request: IncomingMessage, what: string): void {
  if (negotiate(request.headers.accept, ['application/json']) === undefined) {
    throw problem('not-acceptable', `${what} are available as application/json.`);
  }
}
