import { problem } from '@meridian/problem-details';

import { sendResponse } from '../exchange/http-response.ts';
import { isWellEscaped, trailingSlashRedirect } from '../exchange/target.ts';
import type { Middleware } from './middleware.ts';

/**
 * Rejects a path with a bad percent-escape with 400 `malformed-request`, on every route. Redirects a path with a
 * trailing slash to the one without, for every method.
 *
 * Spec: Resource conventions: "`/x/<id>/` is redirected with `301` to the form without the slash".
 */
export const checkTarget: Middleware = (request, response, next) => {
  const { url = '/' } = request;
  if (!isWellEscaped(url)) {
    throw problem('malformed-request', 'The path holds a bad percent-escape.');
  }
  const redirect = trailingSlashRedirect(url);
  if (redirect === undefined) {
    next();
  } else {
    sendResponse(request, response, redirect);
  }
};
