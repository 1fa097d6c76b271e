import { describe, expect, it } from '@jest/globals';

import { mayBecomePlain, readPlainHead } from '../../src/fast-path/plain-head.ts';
import { PlainHeadReader } from '../../src/fast-path/plain-head-reader.ts';

const head = 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n';

describe('mayBecomePlain', () => {
  it('is true for every beginning of a plain head, and false for the whole', () => {
    const beginnings = Array.from({ length: head.length - 1 }, (_, index) => head.slice(0, index + 1));
    expect(beginnings.filter((beginning) => !mayBecomePlain(bytesOf(beginning)))).toEqual([]);
    expect(mayBecomePlain(bytesOf(head))).toBe(false);
  });

  it.each([
    ['another method', 'PUT /graphql HTTP/1.1\r\n'],
    ['another form of target', 'GET http://a/ HTTP/1.1\r\n'],
    ['the first byte of TLS', '\x16\x03\x01'],
    ['a line that ends with a line feed alone', 'GET / HTTP/1.1\nHost: a\n'],
    ['an empty line of line feeds', 'GET / HTTP/1.1\r\nHost: a\n\n'],
    ['more than 16 KiB', `GET /${'a'.repeat(16_400)}`],
  ])('is false for %s', (_what, bytes) => {
    expect(mayBecomePlain(bytesOf(bytes))).toBe(false);
  });
});

describe('PlainHeadReader', () => {
  it('returns the same frozen head for the same bytes, whatever follows them', () => {
    const reader = new PlainHeadReader();
    const first = reader.read(bytesOf(`${head}abc`));
    expect(first).toEqual({
      method: 'POST',
      url: '/graphql',
      headers: { host: 'a', 'content-length': '3' },
      headBytes: head.length,
      bodyBytes: 3,
    });
    expect(Object.isFrozen(first?.headers)).toBe(true);
    expect(reader.read(bytesOf(`${head}xyz`))).toBe(first);
    expect(reader.read(bytesOf(head))).toBe(first);
  });

  it.each([
    ['another target of the same length', head.replace('/graphql', '/graphqm'), { url: '/graphqm' }],
    ['another length of the body', head.replace(': 3', ': 4'), { bodyBytes: 4 }],
    [
      'one more field',
      head.replace('Host', 'X: y\r\nHost'),
      { headers: expect.objectContaining({ x: 'y' }) },
    ],
  ])('reads a head with %s', (_what, other, expected) => {
    const reader = new PlainHeadReader();
    reader.read(bytesOf(head));
    expect(reader.read(bytesOf(other))).toMatchObject(expected);
    expect(reader.read(bytesOf(head))).toMatchObject({ url: '/graphql', bodyBytes: 3 });
  });

  it('returns the right one of many heads that take turns', () => {
    const reader = new PlainHeadReader();
    for (let turn = 0; turn < 30; turn += 1) {
      const bodyBytes = 10 + (turn % 7);
      const bytes = bytesOf(head.replace(': 3', `: ${bodyBytes}`));
      expect(reader.read(bytes)).toEqual(readPlainHead(bytes));
      expect(reader.read(bytes)).toMatchObject({ bodyBytes });
    }
  });

  it('keeps its head while others are not plain or not complete', () => {
    const reader = new PlainHeadReader();
    const first = reader.read(bytesOf(head));
    expect(reader.read(bytesOf(head.slice(0, -1)))).toBeUndefined();
    expect(reader.read(bytesOf(head.replace('HTTP/1.1', 'HTTP/1.0')))).toBeUndefined();
    expect(reader.read(bytesOf(''))).toBeUndefined();
    expect(reader.read(bytesOf(head))).toBe(first);
  });

  it('keeps no more than the head, whose bytes may change later', () => {
    const reader = new PlainHeadReader();
    const bytes = bytesOf(`${head}abc`);
    reader.read(bytes);
    bytes.fill(0);
    expect(reader.read(bytesOf(`${head}abc`))).toMatchObject({ url: '/graphql' });
  });
});

describe('readPlainHead', () => {
  it('reads a head up to 16 KiB', () => {
    const padded = (length: number): Buffer => {
      const start = 'GET / HTTP/1.1\r\nHost: a\r\nX: ';
      return bytesOf(`${start}${'x'.repeat(length - start.length - 4)}\r\n\r\n`);
    };
    expect(readPlainHead(padded(16_388))).toMatchObject({ headBytes: 16_388 });
    expect(readPlainHead(padded(16_389))).toBeUndefined();
  });

  it('leaves a path over 4096 characters to Node', () => {
    const headFor = (length: number): Buffer =>
      bytesOf(`GET /${'a'.repeat(length - 1)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(readPlainHead(headFor(4096))?.url).toHaveLength(4096);
    expect(readPlainHead(headFor(4097))).toBeUndefined();
  });

  it.each([
    ['a list that Node makes', 'Set-Cookie: a=1'],
    ['the name of no property', '__proto__: a'],
    ['a field twice', 'host: a'],
    ['a value with a tab', 'X: a\tb'],
    ['an empty name', ': a'],
    ['an encoding', 'Transfer-Encoding: chunked'],
    ['an expectation', 'Expect: 100-continue'],
    ['the end of the connection', 'Connection: close'],
    ['a length without a body', 'Content-Length: 0'],
  ])('leaves %s to Node', (_what, line) => {
    expect(readPlainHead(bytesOf(`GET / HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`))).toBeUndefined();
  });
});

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
