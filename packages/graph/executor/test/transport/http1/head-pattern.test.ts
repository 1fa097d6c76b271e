import { describe, expect, it } from '@jest/globals';

import type { HeadPattern, MatchedHead } from '../../../src/transport/http1/head-pattern.ts';
import { matchHead, patternOf } from '../../../src/transport/http1/head-pattern.ts';
import type { ResponseHead } from '../../../src/transport/http1/response-head.ts';
import { parseResponseHead } from '../../../src/transport/http1/response-head.ts';
import { ResponseReader } from '../../../src/transport/http1/response-reader.ts';

const emptyLine = '\r\n\r\n';
const first = headOf([
  'HTTP/1.1 200 OK',
  'X-Request-Id: 1f0c',
  'Cache-Control: max-age=5',
  'Content-Type: application/json',
  'Content-Length:  37 ',
  'Date: Mon, 23 Nov 2026 11:40:00 GMT',
  'Connection: keep-alive',
  'Keep-Alive: timeout=5',
]);

describe('matchHead', () => {
  it('matches heads that differ in their length and in fields that are not read', () => {
    const next = first
      .replace('1f0c', 'a, longer\tone: é')
      .replace('37', '1204')
      .replace('11:40:00', '11:40:01');

    expect(matched(next)).toEqual({ head: { ...parsed(first), framing: 1204 }, end: next.length });
    expect(matched(next)).toEqual({ head: parsed(next), end: next.length });
  });

  it('keeps only the bytes of the pattern', () => {
    const { bytes } = patternOf(first, parsed(first)) ?? { bytes: new Uint8Array() };
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  it.each([
    ['another status', 'HTTP/1.1 200', 'HTTP/1.1 500'],
    ['another version', 'HTTP/1.1', 'HTTP/1.0'],
    ['another value of a field that is read', 'max-age=5', 'max-age=6'],
    ['a connection that ends', 'Connection: keep-alive', 'Connection: close'],
    ['another field', 'Date: ', 'Transfer-Encoding: chunked\r\nDate: '],
    ['a field less', 'Cache-Control: max-age=5\r\n', ''],
    ['a length without digits', '37', ''],
    ['a length that is too long', '37', '1234567890123456'],
    ['two lengths', '37', '37, 37'],
    ['a control character', '1f0c', '1f\u{0}c'],
    ['a bare line feed', '1f0c', '1f\nc'],
    ['a bare carriage return', '1f0c', '1f\rc'],
  ])('does not match %s', (_what, before, after) => {
    expect(matched(first.replace(before, after))).toBeUndefined();
  });

  it('reads only what the parser accepts, and like it, whichever byte differs', () => {
    const positions = Array.from({ length: first.length - emptyLine.length }, (_, position) => position);
    const bytes = ['\0', '\t', '\n', '\r', ' ', ',', '0', '9', ':', 'a', '\u{7f}', '\u{ff}'];
    const mutants = positions.flatMap((position) =>
      bytes.map((byte) => first.slice(0, position) + byte + first.slice(position + 1)),
    );
    const read = mutants.filter((mutant) => matched(mutant) !== undefined);

    expect(read.length).toBeGreaterThan(100);
    expect(read.map((mutant) => matched(mutant))).toEqual(
      read.map((mutant) => ({ head: parsed(mutant), end: mutant.length })),
    );
  });

  it('does not match a head that has not arrived in full', () => {
    const starts = Array.from({ length: first.length }, (_, length) => first.slice(0, length));

    expect(starts.filter((start) => matched(start, '') !== undefined)).toEqual([]);
  });

  it('has no pattern for a head whose length alone does not decide the framing', () => {
    const chunked = headOf(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked']);
    const empty = headOf(['HTTP/1.1 204 No Content', 'Content-Length: 0']);

    expect([chunked, empty].map(patternAfter)).toEqual([undefined, undefined]);
  });
});

describe('ResponseReader', () => {
  it('reads one response after another, whether or not their heads are alike, in whatever pieces they arrive', () => {
    const reader = new ResponseReader();
    const responses = Array.from({ length: 60 }, (_, index) => {
      const body = '{"data":null}'.repeat(index % 3);
      const [framing, written] =
        index % 5 === 0
          ? [
              'Transfer-Encoding: chunked',
              `${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`,
            ]
          : [`Content-Length: ${body.length}`, body];
      const cacheControl = `max-age=${Math.floor(index / 7)}`;
      const head = ['HTTP/1.1 200 OK', `X-Request-Id: ${index}`, `Cache-Control: ${cacheControl}`, framing];
      return { bytes: Buffer.from(headOf(head) + written), cacheControl, body };
    });

    const read = responses.map(({ bytes }, index) => {
      const pieceBytes = index % 4 === 0 ? 50 : bytes.length;
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        reader.push(Buffer.from(bytes.subarray(start, start + pieceBytes)));
        const response = reader.next(1000, false);
        if (response !== undefined) {
          return { cacheControl: response.head.headers['cache-control'], body: response.body.toString() };
        }
      }
      return undefined;
    });

    expect(read).toEqual(responses.map(({ cacheControl, body }) => ({ cacheControl, body })));
    expect(reader.hasBegun).toBe(false);
  });
});

function headOf(lines: readonly string[]): string {
  return lines.join('\r\n') + emptyLine;
}

function parsed(head: string): ResponseHead {
  return parseResponseHead(head.slice(0, -emptyLine.length));
}

function patternAfter(head: string): HeadPattern | undefined {
  return patternOf(head.slice(0, -emptyLine.length), parsed(head));
}

/** Reads a head by the pattern of the first, with a body after it. */
function matched(head: string, body = '{"data":null}'): MatchedHead | undefined {
  const pattern = patternAfter(first);
  return pattern && matchHead(pattern, Buffer.from(head + body, 'latin1'));
}
