import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';
import type { WholeResponse } from '@meridian/http';
import { sendResponse } from '@meridian/http';

import { ResponseHeadWriter, keepAliveSeconds } from '../../src/fast-path/response-text.ts';
import { connectTo, get } from './exchange-server.ts';

const realNow = Date.now;

afterEach(() => {
  Date.now = realNow;
});

describe('ResponseHeadWriter', () => {
  it.each<[what: string, response: WholeResponse, fields: readonly string[]]>([
    [
      'fields',
      { status: 200, headers: { ETag: '"a"', Vary: 'Origin' }, body: 'abc' },
      ['Request-Id', '1', 'X', ''],
    ],
    ['no fields', { status: 404, body: '' }, []],
    ['a length of its own', { status: 200, headers: { 'content-length': '9' }, body: 'abc' }, []],
    ['the status 204', { status: 204, headers: { Vary: 'Origin' } }, ['Request-Id', '1']],
    ['the status 304', { status: 304, headers: { ETag: '"a"' } }, []],
    ['a status without a name', { status: 499, body: 'x' }, []],
    [
      'Latin-1',
      { status: 200, headers: { 'X-Name': 'caf\u00e9\t\u00ff' }, body: new Uint8Array([1, 0xff]) },
      [],
    ],
    ['text that is not ASCII', { status: 200, body: '\u20ac' }, []],
  ])('writes the same lines as Node: %s', async (_what, response, fields) => {
    const ofNode = await headOfNode(response, fields);
    const written = new ResponseHeadWriter().write(response, fields, lengthOf(response), false);
    expect(linesOf(written)).toEqual(linesOf(ofNode));
    expect(linesOf(written)).toEqual(
      expect.arrayContaining(['Date: ', 'Connection: keep-alive', 'Keep-Alive: timeout=65']),
    );
  });

  it('writes the same lines as Node when the response is the last', async () => {
    const response = { status: 200, headers: { Connection: 'close', ETag: '"a"' }, body: 'abc' };
    const written = new ResponseHeadWriter().write(response, [], 3, true);
    expect(linesOf(written)).toEqual(linesOf(await headOfNode(response, [])));
  });

  it('writes the date of each second', () => {
    const writer = new ResponseHeadWriter();
    const dateAt = (ms: number, isLast: boolean): string | undefined => {
      Date.now = () => ms;
      return /^Date: (.*)\r$/mu.exec(writer.write({ status: 200 }, [], 0, isLast))?.[1];
    };
    expect(dateAt(1_000_000_000_000, false)).toBe('Sun, 09 Sep 2001 01:46:40 GMT');
    expect(dateAt(1_000_000_000_999, true)).toBe('Sun, 09 Sep 2001 01:46:40 GMT');
    expect(dateAt(1_000_000_001_000, true)).toBe('Sun, 09 Sep 2001 01:46:41 GMT');
    expect(dateAt(1_000_000_001_001, false)).toBe('Sun, 09 Sep 2001 01:46:41 GMT');
    // A clock that is set back.
    expect(dateAt(999_999_999_000, false)).toBe('Sun, 09 Sep 2001 01:46:39 GMT');
  });

  it('throws for the same faulty fields each time, and never writes the previous ones instead', () => {
    const writer = new ResponseHeadWriter();
    writer.write({ status: 200, headers: { 'X-Secret': 's' } }, [], 0, false);
    const faulty = { status: 200, headers: { 'X-A': '\r\nX-B: b' } };
    expect(() => writer.write(faulty, [], 0, false)).toThrow(TypeError);
    expect(() => writer.write(faulty, [], 0, false)).toThrow(TypeError);
    expect(writer.write({ status: 200, headers: { 'X-C': 'c' } }, [], 0, false)).toMatch(
      /^HTTP\/1\.1 200 OK\r\nX-C: c\r\nContent-Length: 0\r\n/u,
    );
  });

  it('writes the same fields again, also with another status', () => {
    const writer = new ResponseHeadWriter();
    const headers = { 'X-A': 'a' };
    const first = writer.write({ status: 200, headers }, [], 0, false);
    expect(writer.write({ status: 200 }, [], 0, false)).not.toContain('X-A');
    expect(linesOf(writer.write({ status: 200, headers }, [], 0, false))).toEqual(linesOf(first));
    expect(writer.write({ status: 404, headers }, [], 0, false)).toMatch(
      /^HTTP\/1\.1 404 Not Found\r\nX-A: a\r\n/u,
    );
    expect(linesOf(writer.write({ status: 200, headers }, [], 0, false))).toEqual(linesOf(first));
  });

  it.each([0, 99, 1000, 200.5, Number.NaN])('throws for the status %d', (status) => {
    expect(() => new ResponseHeadWriter().write({ status }, [], 0, false)).toThrow(RangeError);
  });
});

/** The head that `sendResponse` sends by `node:http`. */
async function headOfNode(response: WholeResponse, fields: readonly string[]): Promise<string> {
  const server = createServer({ keepAliveTimeout: keepAliveSeconds * 1000 }, (request, nodeResponse) => {
    sendResponse(request, nodeResponse, response, fields);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { socket, received } = await connectTo((server.address() as AddressInfo).port);
  socket.write(get());
  await once(socket, 'data');
  socket.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  return received().slice(0, received().indexOf('\r\n\r\n') + 4);
}

function lengthOf({ status, body = '' }: WholeResponse): number | undefined {
  return status === 204 || status === 304 ? undefined : Buffer.byteLength(body);
}

/** The status line, then the fields in alphabetical order, without the value of `Date`. */
function linesOf(head: string): string[] {
  expect(head).toMatch(/\r\n\r\n$/u);
  const [statusLine = '', ...fields] = head.slice(0, -4).split('\r\n');
  return [statusLine, ...fields.map((line) => line.replace(/^Date: .*/u, 'Date: ')).toSorted()];
}
