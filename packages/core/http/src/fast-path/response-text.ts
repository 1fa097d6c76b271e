import { token } from '@meridian/settings/values';

import type { HttpResponse } from '../exchange/http-response.ts';
import { nodeHttp } from '../exchange/node-http.ts';

/** As Node checks it: a line break would start another field, or another response. RFC 9110 §5.5. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The seconds for which a connection is kept, as the client reads in `Keep-Alive`. */
export const keepAliveSeconds = 65;

/**
 * Writes the heads of responses with the same lines as `sendResponse` and Node, in another order, and always in Latin-1
 * (RFC 9110 §5.5). Node writes a head in the encoding of its body where the body is a text.
 */
export class ResponseHeadWriter {
  #second = Number.NaN;
  /** The fields that only depend on the time. */
  #kept = '';
  #closing = '';
  /** Most responses have one of a few sets of fields, as the same object: checking them again would cost more. */
  readonly #starts = new WeakMap<NonNullable<HttpResponse['headers']>, { status: number; lines: string }>();

  /**
   * The head of a response, with the empty line at its end, in Latin-1.
   *
   * @param bodyBytes undefined for a status that has no body, 'chunked' for a body in parts
   * @param closes true when the connection closes after the response
   * @throws {TypeError} for a field that cannot be sent
   * @throws {RangeError} for a status that is none
   */
  write(
    { status, headers }: HttpResponse,
    fields: readonly string[],
    bodyBytes: number | 'chunked' | undefined,
    closes: boolean,
  ): string {
    const nowSecond = Math.floor(Date.now() / 1000);
    if (nowSecond !== this.#second) {
      this.#second = nowSecond;
      const date = `Date: ${new Date(nowSecond * 1000).toUTCString()}\r\n`;
      this.#kept = `${date}Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
      this.#closing = `${date}Connection: close\r\n\r\n`;
    }
    let head = this.#start(status, headers);
    for (let index = 0; index + 1 < fields.length; index += 2) {
      head += fieldLine(fields[index] ?? '', fields[index + 1] ?? '');
    }
    if (bodyBytes === 'chunked') {
      head += 'Transfer-Encoding: chunked\r\n';
    } else if (bodyBytes !== undefined) {
      head += `Content-Length: ${bodyBytes}\r\n`;
    }
    return head + (closes ? this.#closing : this.#kept);
  }

  /** The status line, and the lines of the fields of a response. */
  #start(status: number, headers: HttpResponse['headers']): string {
    const known = headers && this.#starts.get(headers);
    if (known?.status === status) {
      return known.lines;
    }
    const lines = `HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status] ?? phraseOf(status)}\r\n${linesOf(headers ?? {})}`;
    if (headers !== undefined) {
      this.#starts.set(headers, { status, lines });
    }
    return lines;
  }
}

/**
 * The reason phrase of a status without a name, as in Node.
 *
 * @throws {RangeError} for a status that is none
 */
function phraseOf(status: number): string {
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    throw new RangeError(`The status ${status} cannot be sent`);
  }
  return 'unknown';
}

/** The lines of fields, without those that the head has anyway. */
function linesOf(headers: Readonly<Record<string, string>>): string {
  let lines = '';
  for (const name in headers) {
    const lowerCase = name.toLowerCase();
    if (lowerCase !== 'content-length' && lowerCase !== 'connection') {
      lines += fieldLine(name, headers[name] ?? '');
    }
  }
  return lines;
}

function fieldLine(name: string, value: string): string {
  if (!token.test(name) || !fieldValue.test(value)) {
    throw new TypeError(`The header field ${JSON.stringify(name)} cannot be sent`);
  }
  return `${name}: ${value}\r\n`;
}
