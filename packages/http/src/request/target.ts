import { problem } from '@meridian/problem-details';

import { sendResponse } from '../response/http-response.ts';
import type { Middleware } from './middleware.ts';

/**
 * Refuses a path with a bad percent-escape with 400 `malformed-request`, whatever route it would take, and redirects a
 * path with a trailing slash to the form without, for every method.
 *
 * Spec: Resource conventions: "`/x/<id>/` is redirected with `301` to the form without the slash".
 */
export const checkTarget: Middleware = (request, response, next) => {
  const { path, query } = splitTarget(request.url ?? '/');
  if (!isDecodable(path)) {
    throw problem('malformed-request', 'The path holds a bad percent-escape.');
  }
  const location = withoutTrailingSlash(path);
  if (location === undefined) {
    next();
  } else {
    sendResponse(request, response, { status: 301, headers: { Location: location + query } });
  }
};

/** The path, and the query with its question mark. */
function splitTarget(target: string): { path: string; query: string } {
  const [withoutFragment = ''] = target.split('#', 1);
  const start = withoutFragment.indexOf('?');
  return start === -1
    ? { path: withoutFragment, query: '' }
    : { path: withoutFragment.slice(0, start), query: withoutFragment.slice(start) };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path to redirect to; undefined for a path without a trailing slash. It cannot leave the host: a reference that
 * starts with two slashes would name another one (RFC 3986 §4.2), and browsers read a backslash as a slash.
 */
function withoutTrailingSlash(path: string): string | undefined {
  if (path === '/' || !path.endsWith('/')) {
    return undefined;
  }
  const inner = path.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
  return `/${inner.replaceAll('\\', '%5C')}`;
}
