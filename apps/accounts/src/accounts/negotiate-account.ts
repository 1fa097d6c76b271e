import type { IncomingMessage } from 'node:http';

import { negotiate } from '@meridian/http';
import { problem } from '@meridian/problem-details';

import { accountMediaTypes } from './representations.ts';
import type { AccountMediaType } from './representations.ts';

/**
 * The media type that `Accept` selects.
 * Spec: Versioning, rule 1.
 *
 * @throws {Problem} `not-acceptable`
 */
export function negotiateAccount(request: IncomingMessage): AccountMediaType {
  const mediaType = negotiate(request.headers.accept, accountMediaTypes);
  if (mediaType === undefined) {
    throw problem('not-acceptable', `An account is available as ${accountMediaTypes.join(', ')}.`);
  }
  return mediaType;
}
