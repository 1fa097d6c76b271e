import { problem } from '@meridian/problem-details';

import type { RequestHead } from './exchange.ts';

/**
 * The accepted media type that the `Content-Type` of a request names; undefined for a body without one. Parameters do
 * not count: JSON has none (RFC 8259 §11).
 *
 * @param headers for the 415, such as `Accept-Patch`
 * @throws {Problem} `unsupported-media-type` for another type, and for a compressed body (`Content-Encoding`,
 * `Transfer-Encoding`). A content coding is refused with the field `Accept-Encoding` (RFC 9110 §12.5.3, §15.5.16)
 */
export function contentTypeOf<MediaType extends string>(
  request: RequestHead,
  accepted: readonly MediaType[],
  headers: Readonly<Record<string, string>> = {},
): MediaType | undefined {
  if (hasContentCoding(request)) {
    throw problem('unsupported-media-type', 'The body has a content coding; send it without one.', {
      headers: { ...headers, 'Accept-Encoding': 'identity' },
    });
  }
  return codedContentTypeOf(request, accepted, headers);
}

/**
 * The same for a body that may have a content coding, which the caller decodes.
 *
 * @throws {Problem} `unsupported-media-type` for another type, and for a body with a transfer coding other than
 * `chunked`
 */
export function codedContentTypeOf<MediaType extends string>(
  request: RequestHead,
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
  const mediaType =
    accepted.find((candidate) => candidate === declaration) ??
    accepted.find((candidate) => candidate === essenceOf(declaration));
  if (mediaType === undefined) {
    throw problem('unsupported-media-type', `The body must be declared as ${accepted.join(' or ')}.`, {
      headers,
    });
  }
  return mediaType;
}

function essenceOf(declaration: string): string {
  const [essence = ''] = declaration.split(';', 1);
  return essence.trim().toLowerCase();
}

function hasContentCoding({ headers }: RequestHead): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'identity';
}

/** Node decodes `chunked` only: the body of `gzip, chunked` is still compressed. */
function hasTransferCoding({ headers }: RequestHead): boolean {
  const coding = headers['transfer-encoding']?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'chunked';
}
