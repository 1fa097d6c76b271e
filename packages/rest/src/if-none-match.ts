import type { IncomingMessage } from 'node:http';

/**
 * Whether a read has what the client has already: `If-None-Match` is the entity tag, as one exact string. A list, `*`, `W/…` and a
 * tag by an earlier key get 200, and with it the tag that they are to be replaced by. Spec: GET, "Compare `If-None-Match`".
 */
export function isNotModified(request: IncomingMessage, etag: string): boolean {
  return request.headers['if-none-match'] === etag;
}
