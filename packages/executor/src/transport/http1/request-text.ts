import { SubgraphFailure } from '../subgraph-failure.ts';

/** A request as it is written. */
export interface RequestText {
  /** With the empty line at its end. */
  readonly head: string;
  /** Of the head: all of it ASCII, or in Latin-1. */
  readonly isAscii: boolean;
  readonly body: string;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const asciiValue = /^[\t\x20-\x7e]*$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The client's own to say: they are how the request is framed, and whose the connection is. RFC 9110 §7.6.1, §7.8. */
const ownFields: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Writes a POST request.
 *
 * @param requestLine with the fields that all requests to the target have
 * @param defaults that a field of the same name takes the place of
 * @throws {SubgraphFailure} SUBREQUEST_HTTP_ERROR for a field that would make another request of it
 */
export function writeRequest(
  requestLine: string,
  defaults: readonly (readonly [name: string, line: string])[],
  headers: Readonly<Record<string, string>>,
  body: string,
): RequestText {
  let head = requestLine;
  let isAscii = true;
  for (const [name, line] of defaults) {
    if (headers[name] === undefined) {
      head += line;
    }
  }
  for (const name of Object.keys(headers)) {
    const text = headers[name] ?? '';
    if (!token.test(name) || !value.test(text) || ownFields.has(name.toLowerCase())) {
      throw new SubgraphFailure(
        'SUBREQUEST_HTTP_ERROR',
        `the header field ${JSON.stringify(name)} cannot be sent`,
      );
    }
    isAscii &&= asciiValue.test(text);
    head += `${name}: ${text}\r\n`;
  }
  head += `content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return { head, isAscii, body };
}
