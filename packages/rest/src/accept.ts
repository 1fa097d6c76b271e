import type { IncomingMessage } from 'node:http';

import { negotiate } from '@meridian/http';
import { problem } from '@meridian/problem-details';

/**
 * Chooses the media type of the response by `Accept`. Spec: Versioning, rule 1.
 *
 * @param resourceIs the start of the sentence that lists the media types, such as `An account is`
 * @throws {Problem} `not-acceptable`
 */
export function acceptedType<MediaType extends string>(
  request: IncomingMessage,
  mediaTypes: readonly MediaType[],
  resourceIs: string,
): MediaType {
  const mediaType = negotiate(request.headers.accept, mediaTypes);
  if (mediaType === undefined) {
    throw problem('not-acceptable', `${resourceIs} available as ${mediaTypes.join(', ')}.`);
  }
  return mediaType;
}

/**
 * Refuses a request whose `Accept` takes none of the media types, where the response has no body to choose one for.
 *
 * @param resourceIs as in `acceptedType`
 * @throws {Problem} `not-acceptable`
 */
export function refuseUnacceptable(
  request: IncomingMessage,
  mediaTypes: readonly string[],
  resourceIs: string,
): void {
  acceptedType(request, mediaTypes, resourceIs);
}

/**
 * Checks that `Accept` takes the one representation that a resource has.
 *
 * @param what the start of a sentence, such as `Transfers`
 * @throws {Problem} `not-acceptable`
 */
export function assertAcceptsJson(request: IncomingMessage, what: string): void {
  acceptedType(request, ['application/json'], `${what} are`);
}
