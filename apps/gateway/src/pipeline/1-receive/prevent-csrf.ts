import type { IncomingHttpHeaders } from 'node:http';

import type { CsrfOptions } from '../../config/http-config.ts';
import { requestError } from '../../errors/request-error.ts';

/** The media types that a form can send, without a preflight. Fetch Standard §2.2.2. */
const simpleMediaTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);

const wellFormedType = /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;|$)/;

/**
 * Lets a request pass only if no foreign web page could have made a browser send it without a preflight: with a
 * `Content-Type` that no form has, or with one of the required header fields. As in Apollo Router.
 *
 * @throws {RequestError}
 */
export function preventCsrf(headers: IncomingHttpHeaders, { requiredHeaders }: CsrfOptions): void {
  const isPreflighted =
    hasUncommonContentType(headers) || requiredHeaders.some((name) => (headers[name] ?? '') !== '');
  if (!isPreflighted) {
    throw requestError(
      'BAD_REQUEST',
      `This request is blocked as a potential cross-site request forgery: send a Content-Type such as application/json, or one of the header fields ${requiredHeaders.join(', ')}`,
    );
  }
}

/** True for a well-formed media type that is not simple. Browsers differ on malformed ones. */
function hasUncommonContentType(headers: IncomingHttpHeaders): boolean {
  const [, essence] = wellFormedType.exec(headers['content-type'] ?? '') ?? [];
  return essence !== undefined && !simpleMediaTypes.has(essence.toLowerCase());
}
