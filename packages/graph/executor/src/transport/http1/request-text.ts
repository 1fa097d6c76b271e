import { token } from '@meridian/settings/values';

import { SubgraphFailure } from '../subgraph-failure.ts';

/** A request in wire format. */
export interface RequestText {
  /** The whole request, or its head alone, with the empty line at its end. */
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  /** The body, as bytes or for UTF-8, where no encoding fits both; else undefined. */
  readonly body: string | Buffer | undefined;
}

/**
 * Writes a POST request to one target.
 *
 * @throws {SubgraphFailure} SUBREQUEST_HTTP_ERROR for a field that would change the framing of the request
 */
export type WriteRequest = (headers: HeaderFields, body: string | Buffer) => RequestText;

type HeaderFields = Readonly<Record<string, string>>;

/** The fields of a request as text, as far as they do not depend on its body. */
interface FieldLines {
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly text: string;
  /** All of it; else it is Latin-1. */
  readonly isAscii: boolean;
}

const asciiValue = /^[\t\x20-\x7e]*$/;
const latin1Value = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Fields that only this client sets: they frame the request, or concern the connection. RFC 9110 §7.6.1, §7.8. */
export const hopByHopHeaders: ReadonlySet<string> = new Set([
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

/** Sent unless a request overrides them; so is `host`. */
const defaults = [
  ['accept', 'accept: application/json\r\n'],
  ['accept-encoding', 'accept-encoding: gzip, br\r\n'],
  ['content-type', 'content-type: application/json\r\n'],
] as const;

/**
 * Creates the writer of requests to a target.
 *
 * @param requestLine with its line break
 * @param host the value of `host`
 */
export function createRequestWriter(requestLine: string, host: string): WriteRequest {
  // Consecutive requests mostly have the same fields, and without variables an operation has the same body:
  // comparing them costs less than checking and writing them again.
  let last: FieldLines | undefined;
  let lastBody: string | Buffer | undefined;
  let lastRequest: RequestText | undefined;
  return (headers, body) => {
    if (last === undefined || !hasFields(last, headers)) {
      last = writeFields(requestLine, host, headers);
      lastRequest = undefined;
    }
    if (lastRequest === undefined || lastBody !== body) {
      lastBody = body;
      lastRequest = writeRequest(last, body);
    }
    return lastRequest;
  };
}

function writeRequest({ text, isAscii }: FieldLines, body: string | Buffer): RequestText {
  if (typeof body !== 'string') {
    return { text: `${text}content-length: ${body.length}\r\n\r\n`, encoding: 'latin1', body };
  }
  const bodyBytes = Buffer.byteLength(body);
  const head = `${text}content-length: ${bodyBytes}\r\n\r\n`;
  // ASCII is the same in both encodings, and Latin-1 the quicker one to write.
  if (bodyBytes === body.length) {
    return { text: head + body, encoding: 'latin1', body: undefined };
  }
  return isAscii
    ? { text: head + body, encoding: 'utf8', body: undefined }
    : { text: head, encoding: 'latin1', body };
}

function hasFields({ names, values }: FieldLines, headers: HeaderFields): boolean {
  let index = 0;
  for (const name in headers) {
    if (names[index] !== name || values[index] !== headers[name]) {
      return false;
    }
    index += 1;
  }
  return index === names.length;
}

function writeFields(requestLine: string, host: string, headers: HeaderFields): FieldLines {
  const names = Object.keys(headers);
  const values = names.map((name) => headers[name] ?? '');
  let text = headers['host'] === undefined ? `${requestLine}host: ${host}\r\n` : requestLine;
  let isAscii = true;
  for (const [name, line] of defaults) {
    if (headers[name] === undefined) {
      text += line;
    }
  }
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    const isAsciiValue = asciiValue.test(value);
    const isValue = isAsciiValue || latin1Value.test(value);
    if (!token.test(name) || !isValue || hopByHopHeaders.has(name.toLowerCase())) {
      throw new SubgraphFailure(
        'SUBREQUEST_HTTP_ERROR',
        `the header field ${JSON.stringify(name)} cannot be sent`,
      );
    }
    isAscii &&= isAsciiValue;
    text += `${name}: ${value}\r\n`;
  }
  return { names, values, text, isAscii };
}
