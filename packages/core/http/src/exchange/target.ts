import type { RequestHead } from './exchange.ts';
import type { HttpResponse } from './http-response.ts';

/** The target of a request. */
export interface Target {
  readonly path: string;
  /** With its question mark; empty without a query. */
  readonly query: string;
}

/** Splits the target of a request at its question mark. */
export function targetOf({ url = '' }: Pick<RequestHead, 'url'>): Target {
  const start = url.indexOf('?');
  return start === -1 ? { path: url, query: '' } : { path: url.slice(0, start), query: url.slice(start) };
}

/** True for a target whose path has no bad percent-escape. */
export function isWellEscaped(url: string): boolean {
  return isDecodable(targetOf({ url: withoutFragment(url) }).path);
}

/** The response to a target whose path has a trailing slash; undefined for any other, and for a bad percent-escape. */
export function trailingSlashRedirect(url: string): HttpResponse | undefined {
  const { path, query } = targetOf({ url: withoutFragment(url) });
  const location = withoutTrailingSlash(path);
  return location === undefined || !isDecodable(path)
    ? undefined
    : { status: 301, headers: { Location: location + query } };
}

function withoutFragment(url: string): string {
  const start = url.indexOf('#');
  return start === -1 ? url : url.slice(0, start);
}

function isDecodable(path: string): boolean {
  try {
    if (path.includes('%')) {
      decodeURIComponent(path);
    }
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
