import type { IncomingMessage } from 'node:http';

import { problem } from '@meridian/problem-details';

/**
 * Which of the accepted media types the body of a request is declared as; undefined for a body without a declared type.
 * Parameters do not count: JSON has none (RFC 8259 §11).
 *
 * @param headers for the 415, such as `Accept-Patch`
 * @throws {Problem} `unsupported-media-type` for another type, and for a body with a content coding
 */
export function contentTypeOf<MediaType extends string>(
  request: IncomingMessage,
  accepted: readonly MediaType[],
  headers: Readonly<Record<string, string>> = {},
): MediaType | undefined {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity') {
    throw problem('unsupported-media-type', 'The body has a content coding; send it without one.', {
      headers,
    });
  }
  const [essence = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  const declared = essence.trim().toLowerCase();
  if (declared === '') {
    return undefined;
  }
  const mediaType = accepted.find((candidate) => candidate === declared);
  if (mediaType === undefined) {
    throw problem('unsupported-media-type', `The body must be declared as ${accepted.join(' or ')}.`, {
      headers,
    });
  }
  return mediaType;
}
