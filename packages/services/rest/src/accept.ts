import type { IncomingMessage } from 'node:http';

import { negotiate } from '@meridian/http';
import { problem } from '@meridian/problem-details';

/** The media types that a resource is available as. */
export interface Available<MediaType extends string> {
  /** The default one first. */
  readonly mediaTypes: readonly MediaType[];
  /** The detail of the problem for a request that accepts none of them: one sentence. */
  readonly detail: string;
}

/**
 * Chooses the media type of the response by `Accept`. Called for a response without a body too, so that an `Accept`
 * means the same for each method. Spec: Versioning, rule 1.
 *
 * @throws {Problem} `not-acceptable`
 */
export function acceptedType<MediaType extends string>(
  request: IncomingMessage,
  { mediaTypes, detail }: Available<MediaType>,
): MediaType {
  const mediaType = negotiate(request.headers.accept, mediaTypes);
  if (mediaType === undefined) {
    throw problem('not-acceptable', detail);
  }
  return mediaType;
}

/** A resource with one representation. */
export function availableAsJson(detail: string): Available<'application/json'> {
  return { mediaTypes: ['application/json'], detail };
}
