import type { IncomingMessage } from 'node:http';

import { problem } from '@meridian/problem-details';

/**
 * Which of the accepted media types the body of a request is declared as; undefined for a body without a declared type.
 * Parameters do not count: JSON has none (RFC 8259 §11).
 *
 * @param headers for the 415, such as `Accept-Patch`
 * @throws {Problem} `unsupported-media-type` for another type, and for a body that is compressed, as content or on its way
 */
export function contentTypeOf<MediaType extends string>(
  request: IncomingMessage,
  accepted: readonly MediaType[],
  headers: Readonly<Record<string, string>> = {},
): MediaType | undefined {
  if (hasContentCoding(request)) {
    throw problem('unsupported-media-type', 'The body has a content coding; send it without one.', {
      headers,
    });
  }
  return codedContentTypeOf(request, accepted, headers);
}

/**
 * The same for a body that may have a content coding, which the caller undoes.
 *
 * @throws {Problem} `unsupported-media-type` for another type, and for a body that is compressed on its way
 */
export function codedContentTypeOf<MediaType extends string>(
  request: IncomingMessage,
  accepted: readonly MediaType[],
  headers: Readonly<Record<string, string>> = {},
): MediaType | undefined {
  if (hasTransferCoding(request)) {
    throw problem('unsupported-media-type', 'The body has a transfer coding other than chunked.', {
      headers,
    });
  }
  const declaration = request.headers['content-type']?.trim() ?? '';
  if (declaration === '') {
    return undefined;
  }
  const [essence = ''] = declaration.split(';', 1);
  const declared = essence.trim().toLowerCase();
  const mediaType = accepted.find((candidate) => candidate === declared);
  if (mediaType === undefined) {
    throw problem('unsupported-media-type', `The body must be declared as ${accepted.join(' or ')}.`, {
      headers,
    });
  }
  return mediaType;
}

function hasContentCoding({ headers }: IncomingMessage): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'identity';
}

/** Node undoes `chunked`, and passes on as it is what was coded before (`gzip, chunked`). */
function hasTransferCoding({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'chunked';
}
