import type { IncomingMessage } from 'node:http';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

/** The limits of the heads of requests. */
export interface HeadLimits {
  /** The most header fields. Each costs the process much more than its bytes. */
  readonly maxFields: number;
  /** The most bytes of a request target with all header names and values. */
  readonly maxHeadBytes: number;
  /** The longest time until a head has arrived, in milliseconds. */
  readonly maxHeadMs: number;
}

/** Twice the fields that Apollo Router takes by default. */
export const defaultHeadLimits: HeadLimits = { maxFields: 200, maxHeadBytes: 65_536, maxHeadMs: 10_000 };

/** `uri-host [ ":" port ]`, RFC 9110 §7.2: a name or an address, or nothing for a target without an authority. */
export const hostValue = /^(?:\[[\dA-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)(?::\d*)?$/;

/**
 * Detects a fault of a message that Node lets pass although RFC 9112 §3.2 requires its rejection. Rewrites an
 * absolute-form target to its path, and `Host` to its authority, which counts (§3.2.2).
 */
export function messageFault(request: IncomingMessage, limits: HeadLimits): Problem | undefined {
  if (request.httpVersionMajor !== 1) {
    return problem('malformed-request', 'The request is not well-formed HTTP/1.1.');
  }
  if (request.rawHeaders.length > 2 * limits.maxFields) {
    // Node may have dropped what was beyond one more.
    return headersTooLarge(limits);
  }
  const hosts = countOf('host', request.rawHeaders);
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) {
    return problem('malformed-request', 'The request must have exactly one Host header.');
  }
  if (countOf('authorization', request.rawHeaders) > 1) {
    // Node keeps the first one; a proxy in front may have used another.
    return problem('malformed-request', 'The request must have at most one Authorization header.');
  }
  if (!hostValue.test(request.headers.host ?? '')) {
    return problem('malformed-request', 'The Host header names no host.');
  }
  const target = request.url ?? '';
  if (target === '*' && request.method === 'OPTIONS') {
    return undefined;
  }
  return target.startsWith('/') ? pathFault(target) : absoluteTargetFault(request, target);
}

export function headersTooLarge({ maxFields, maxHeadBytes }: Omit<HeadLimits, 'maxHeadMs'>): Problem {
  return problem(
    'headers-too-large',
    `The request has over ${maxFields} header fields, or over ${maxHeadBytes} bytes of them and the request line.`,
    { headers: { Connection: 'close' } },
  );
}

/** The number of occurrences of a field in raw headers: names at even indices, each followed by its value. */
export function countOf(lowerCaseName: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) {
      count += 1;
    }
  }
  return count;
}

/**
 * The longest path, in characters: many times the length of any route. A query string may be longer, such as the
 * variables of a persisted operation; the limit on all headers bounds it.
 */
export const maxPathLength = 4096;

export function pathFault(target: string): Problem | undefined {
  const queryStart = target.indexOf('?');
  return (queryStart === -1 ? target.length : queryStart) > maxPathLength
    ? problem('path-too-long', `The path is over ${maxPathLength} characters.`)
    : undefined;
}

function absoluteTargetFault(request: IncomingMessage, target: string): Problem | undefined {
  const [start = '', authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (!URL.canParse(target) || authority === '' || !hostValue.test(authority)) {
    return problem('malformed-request', 'The request target is neither a path nor an http URL.');
  }
  request.headers.host = authority;
  const path = target.slice(start.length);
  request.url = path.startsWith('/') ? path : `/${path}`;
  return pathFault(request.url);
}
