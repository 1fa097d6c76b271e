import type { IncomingHttpHeaders as Http2Headers } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import { countOf, headersTooLarge, hostValue, pathFault } from '../server/message-rules.ts';

/** The limits of the head of a request over HTTP/2. */
export interface Http2HeadLimits {
  readonly maxFields: number;
  /** The most bytes of a header list, as RFC 9113 §6.5.2 counts them: with 32 for each field. */
  readonly maxHeadBytes: number;
}

/** The head of a request over HTTP/2. */
export interface Http2Head {
  readonly method: string;
  readonly url: string;
  /** As in HTTP/1.1: without pseudo-header fields, and with `host`. */
  readonly headers: IncomingHttpHeaders;
  /** Of its header list. */
  readonly bytes: number;
  /** The fault for which the request is rejected. */
  readonly fault: Problem | undefined;
}

/** Added to each field of a header list, RFC 9113 §6.5.2. */
const fieldOverhead = 32;
/** The characters of a target of HTTP/1.1 as its parser takes them. */
const targetText = /^[!-~]+$/;

/**
 * Reads the head of a request. What Node has checked is left out: the syntax of fields, and the order and number of
 * pseudo-header fields (RFC 9113 §8.2, §8.3). A request that HTTP/1.1 would not take is rejected here too.
 *
 * @param rawHeaders each name, followed by its value
 */
export function readHttp2Head(
  fields: Http2Headers,
  rawHeaders: readonly string[],
  limits: Http2HeadLimits,
): Http2Head {
  const headers: IncomingHttpHeaders = {};
  for (const name of Object.keys(fields)) {
    if (!name.startsWith(':')) {
      headers[name] = fields[name];
    }
  }
  const { ':method': method = '', ':path': url = '', ':authority': authority } = fields;
  const host = authority ?? headers.host;
  if (host !== undefined) {
    headers.host = host;
  }
  let bytes = (rawHeaders.length / 2) * fieldOverhead;
  for (const text of rawHeaders) {
    bytes += text.length;
  }
  const isTooLarge = rawHeaders.length > 2 * limits.maxFields || bytes > limits.maxHeadBytes;
  const fault = isTooLarge
    ? headersTooLarge(limits)
    : faultOf({ method, url, host, hosts: fields.host, authority }, rawHeaders);
  return { method, url, headers, bytes, fault };
}

interface Target {
  readonly method: string;
  readonly url: string;
  readonly host: string | undefined;
  /** The field `Host`, which a request should not have beside `:authority`. */
  readonly hosts: string | undefined;
  readonly authority: string | undefined;
}

function faultOf(
  { method, url, host, hosts, authority }: Target,
  rawHeaders: readonly string[],
): Problem | undefined {
  if (method === 'CONNECT') {
    return problem('malformed-request', 'This server is not a proxy.');
  }
  // RFC 9113 §8.3.1: `:authority` counts. A proxy in front may have used another one.
  if (host === undefined || countOf('host', rawHeaders) > 1 || (authority ?? host) !== (hosts ?? host)) {
    return problem('malformed-request', 'The request must name exactly one host.');
  }
  if (countOf('authorization', rawHeaders) > 1) {
    return problem('malformed-request', 'The request must have at most one Authorization header.');
  }
  if (!hostValue.test(host)) {
    return problem('malformed-request', 'The request names no host.');
  }
  if (url === '*' && method === 'OPTIONS') {
    return undefined;
  }
  return url.startsWith('/') && targetText.test(url)
    ? pathFault(url)
    : problem('malformed-request', 'The request target is not a path.');
}
