import type { IncomingMessage } from 'node:http';

/**
 * True when the client already has the current version: `If-None-Match` is the entity tag, as one exact
 * string. A list, `*`, `W/…` and a tag from an earlier key get 200, with the tag that replaces them. Spec:
 * GET, "Compare `If-None-Match`".
 */
export function isNotModified(request: IncomingMessage, etag: string): boolean {
  return request.headers['if-none-match'] === etag;
}
