import type { HttpResponse } from '@meridian/http';

import type { FieldValue } from './stage-headers.ts';

type Fields = NonNullable<HttpResponse['headers']>;

/** A response that no cache may keep: it depends on what no cache knows. */
export function withoutStorage(response: HttpResponse): HttpResponse {
  const { headers = {} } = response;
  return {
    ...response,
    headers: { ...without(headers, ['etag', 'cache-control']), 'Cache-Control': 'private, no-store' },
  };
}

/**
 * A response that depends on what was read of its request, where caches may keep it.
 *
 * @param read names of header fields in lower case; undefined for what no field alone decides
 */
export function dependingOn(response: HttpResponse, read: ReadonlySet<string | undefined>): HttpResponse {
  if (response.headers?.['ETag'] === undefined) {
    return response;
  }
  return read.has(undefined)
    ? withoutStorage(response)
    : varyingBy(
        response,
        [...read].filter((name) => name !== undefined),
      );
}

/** A response that varies by further header fields of the request, where caches may keep it. */
export function varyingBy(response: HttpResponse, names: Iterable<string>): HttpResponse {
  const { headers = {} } = response;
  const known = listed(headers['Vary']);
  const lower = new Set(known.map((name) => name.toLowerCase()));
  const added = [...names].filter((name) => !lower.has(name));
  return added.length === 0
    ? response
    : { ...response, headers: { ...headers, Vary: [...known, ...added].join(', ') } };
}

/**
 * A response with other header fields: undefined for one that is deleted. It is for its client alone; one with a cookie
 * is not kept at all. Cookies are sent beside it: `cookieFields`.
 */
export function withOwnFields(
  response: HttpResponse,
  changes: ReadonlyMap<string, FieldValue | undefined>,
): HttpResponse {
  const { headers = {} } = response;
  const policy = headers['Cache-Control'];
  const others = [...changes].filter(([name]) => !ofCaches.has(name) && name !== 'set-cookie');
  const next: HttpResponse = {
    ...response,
    headers: {
      ...without(
        headers,
        [...changes.keys()].filter((name) => !ofCaches.has(name)),
      ),
      ...(policy !== undefined && { 'Cache-Control': policy.replace('public', 'private') }),
      ...Object.fromEntries(
        others.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
    },
  };
  const varied = varyingBy(next, listed(changes.get('vary')?.toString().toLowerCase()));
  return changes.has('set-cookie') || changes.has('cache-control') ? withoutStorage(varied) : varied;
}

function listed(field = ''): readonly string[] {
  return field
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

const ofCaches = new Set(['vary', 'cache-control']);

function without(headers: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())));
}
