import type { IncomingMessage, ServerResponse } from 'node:http';

import { privateCacheControl, sendResponse } from '@meridian/http';

/**
 * Sends a resource as JSON: 200, for the client's own cache.
 *
 * @param headers further fields
 */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendResponse(request, response, {
    status: 200,
    headers: { ...headers, 'Cache-Control': privateCacheControl, 'Content-Type': 'application/json' },
    body,
  });
}

/** A representation of a resource, under its entity tag. */
export interface TaggedRepresentation {
  readonly etag: string;
  /** Default: `application/json`. */
  readonly mediaType?: string;
  /** Called unless the client has it. */
  readonly write: () => string;
}

/** Sends a representation: 304 where `If-None-Match` names its tag, else 200. */
export function sendTagged(
  request: IncomingMessage,
  response: ServerResponse,
  { etag, mediaType = 'application/json', write }: TaggedRepresentation,
): void {
  const headers = { ETag: etag, 'Cache-Control': privateCacheControl };
  sendResponse(
    request,
    response,
    isNotModified(request, etag)
      ? { status: 304, headers }
      : { status: 200, headers: { ...headers, 'Content-Type': mediaType }, body: write() },
  );
}

/**
 * True when the client already has the current version: `If-None-Match` is the entity tag, as one exact
 * string. A list, `*`, `W/…` and a tag from an earlier key get 200, with the tag that replaces them. Spec:
 * GET, "Compare `If-None-Match`".
 */
function isNotModified(request: IncomingMessage, etag: string): boolean {
  return request.headers['if-none-match'] === etag;
}
