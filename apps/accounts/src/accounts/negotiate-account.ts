import type { IncomingMessage, ServerResponse } from 'node:http';

import { negotiate } from '@meridian/http';
import { problem } from '@meridian/problem-details';

import { accountMediaTypes } from './representations.ts';
import type { AccountMediaType } from './representations.ts';

/**
 * The media type that `Accept` selects; the answer then says that it did. Throws `not-acceptable`.
 * Spec: Versioning, rule 1.
 */
export function negotiateAccount(request: IncomingMessage, response: ServerResponse): AccountMediaType {
  const mediaType = negotiate(request.headers.accept, accountMediaTypes);
  response.setHeader('Vary', 'Accept');
  if (mediaType === undefined) {
    throw problem('not-acceptable', `An account is available as ${accountMediaTypes.join(', ')}.`);
  }
  return mediaType;
}
