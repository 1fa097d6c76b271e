import type { IncomingMessage } from 'node:http';

import { negotiate } from '@meridian/http';
import { problem } from '@meridian/problem-details';

/** Throws `not-acceptable` when `Accept` leaves out the one representation that transfers have. */
export function acceptsTransfers(request: IncomingMessage): void {
  if (negotiate(request.headers.accept, ['application/json']) === undefined) {
    throw problem('not-acceptable', 'Transfers are available as application/json.');
  }
}
