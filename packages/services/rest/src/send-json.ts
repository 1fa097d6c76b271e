import type { IncomingMessage, ServerResponse } from 'node:http';

import { privateCacheControl, sendResponse } from '@meridian/http';

import { isNotModified } from './if-none-match.ts';

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
