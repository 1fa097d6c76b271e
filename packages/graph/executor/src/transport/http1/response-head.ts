import { mayHoldGraphql } from '../subgraph-failure.ts';
import type { SubgraphField } from '../subgraph-transport.ts';
import { ProtocolError } from './message-syntax.ts';

/**
 * The parts of a response's head that say where it ends, whether the connection persists, and how to read the
 * body.
 */
export interface ResponseHead {
  readonly status: number;
  readonly framing: Framing;
  /** True when the connection ends with this response. */
  readonly isLast: boolean;
  /** True for an error status with a body that may be a GraphQL response. */
  readonly isGraphqlError: boolean;
  /** For how long the other side keeps an idle connection, where it says so. */
  readonly keepAliveMs: number | undefined;
  readonly headers: {
    readonly 'content-encoding': string | undefined;
    readonly 'cache-control': string | undefined;
  };
  /** All of it, where the fields of the response are read; see `fieldsOf`. */
  readonly text?: string;
}

/** The framing of a body: a length, chunks, or the end of the connection. RFC 9112 §6.3. */
export type Framing = number | 'chunked' | 'until close';

const lineEnd = '\r\n';
/** The fields that are read. */
export const readNames: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'content-encoding',
  'cache-control',
]);
/** Of their names: most others are skipped. */
const readLengths: ReadonlySet<number> = new Set(Array.from(readNames, (name) => name.length));

interface Fields {
  contentLength?: string;
  transferEncoding?: string;
  connection: string;
  keepAlive?: string;
  contentEncoding: string | undefined;
  cacheControl: string | undefined;
}

/**
 * A whole head: a status line, then lines as in `fieldLine`. One expression for all of it takes a third of the time.
 */
const wholeHead =
  /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*)*$/;

/**
 * Reads a head, without the empty line at its end. Stricter than the RFC requires: bytes that two readers could split
 * differently are rejected.
 *
 * RFC 9112 §4 to §6, §11.1.
 *
 * @throws {ProtocolError}
 */
export function parseResponseHead(text: string): ResponseHead {
  const [, minor, digits] = wholeHead.exec(text) ?? [];
  if (digits === undefined) {
    throw new ProtocolError('the response has no status line, or a malformed header field');
  }
  const fields = readFields(text);
  const status = Number(digits);
  const connection = fields.connection.toLowerCase();
  const framing = framingOf(fields, status, minor === '0');
  return {
    status,
    framing,
    isLast:
      framing === 'until close' ||
      hasToken(connection, 'close') ||
      (minor === '0' && !hasToken(connection, 'keep-alive')),
    isGraphqlError: status > 299 && mayHoldGraphql(jsonType.exec(text)?.[1]),
    keepAliveMs: keepAliveMs(fields.keepAlive),
    headers: { 'content-encoding': fields.contentEncoding, 'cache-control': fields.cacheControl },
  };
}

/** The fields of a head that `parseResponseHead` has accepted. */
export function fieldsOf(text: string): readonly SubgraphField[] {
  const [, ...lines] = text.split(lineEnd);
  return lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
}

/** Looked for in heads of error responses only: most heads are read without it. */
const jsonType = /\r\ncontent-type:[\t ]*([^\r;]*)/i;

function readFields(text: string): Fields {
  const fields: Fields = { connection: '', contentEncoding: undefined, cacheControl: undefined };
  for (let line = text.indexOf(lineEnd); line !== -1;) {
    const start = line + lineEnd.length;
    line = text.indexOf(lineEnd, start);
    const colon = text.indexOf(':', start);
    if (readLengths.has(colon - start)) {
      const end = line === -1 ? text.length : line;
      readField(text.slice(start, colon).toLowerCase(), text.slice(colon + 1, end).trim(), fields);
    }
  }
  return fields;
}

function readField(name: string, value: string, fields: Fields): void {
  switch (name) {
    case 'content-length':
      fields.contentLength = takeSingle(fields.contentLength, value);
      break;
    case 'transfer-encoding':
      fields.transferEncoding = takeSingle(fields.transferEncoding, value);
      break;
    case 'connection':
      fields.connection += `,${value}`;
      break;
    case 'keep-alive':
      fields.keepAlive = value;
      break;
    case 'content-encoding':
      fields.contentEncoding = joined(fields.contentEncoding, value);
      break;
    case 'cache-control':
      fields.cacheControl = joined(fields.cacheControl, value);
      break;
    default:
  }
}

/** Two framings of a body are ambiguous, even if they agree. */
function takeSingle(known: string | undefined, value: string): string {
  if (known !== undefined) {
    throw new ProtocolError('the response says twice where it ends');
  }
  return value;
}

function joined(known: string | undefined, value: string): string {
  return known === undefined ? value : `${known}, ${value}`;
}

function framingOf({ contentLength, transferEncoding }: Fields, status: number, isHttp10: boolean): Framing {
  if (transferEncoding !== undefined) {
    if (contentLength !== undefined || isHttp10 || transferEncoding.toLowerCase() !== 'chunked') {
      throw new ProtocolError('the response does not say where it ends');
    }
  }
  if (contentLength !== undefined && !/^\d{1,15}$/.test(contentLength)) {
    throw new ProtocolError('the response has a length that is not a number');
  }
  const hasNoBody = status < 200 || status === 204 || status === 304;
  if (hasNoBody) {
    const claimsBody = transferEncoding !== undefined || (status !== 304 && Number(contentLength ?? 0) > 0);
    if (claimsBody) {
      throw new ProtocolError(`the response has a body, which the status ${status} excludes`);
    }
    return 0;
  }
  if (transferEncoding !== undefined) {
    return 'chunked';
  }
  return contentLength === undefined ? 'until close' : Number(contentLength);
}

function hasToken(list: string, token: string): boolean {
  return list.includes(token) && list.split(',').some((member) => member.trim() === token);
}

function keepAliveMs(value: string | undefined): number | undefined {
  const [, seconds] = /(?:^|[\s,;])timeout=(\d{1,6})/i.exec(value ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
