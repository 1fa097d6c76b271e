import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendResponse } from '@meridian/http';

describe('sendResponse', () => {
  let body: string | Uint8Array = '';
  let headers: Readonly<Record<string, string>> = {};
  const server = createServer((request, response) =>
    sendResponse(request, response, { status: 200, headers, body }),
  );

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => void server.close());

  it.each([0, 1, 1023, 1024, 1025, 70_000])(
    'sends %i bytes as they are, with their length',
    async (length) => {
      // Every value of a byte, in a view that does not begin where its memory does.
      const bytes = Uint8Array.from({ length: length + 3 }, (_, index) => index % 256).subarray(3);
      body = bytes;
      const response = await fetch(urlOf(server.address()));
      expect(response.headers.get('content-length')).toBe(String(length));
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  it('sends one length, also if the response has one under a name in lower case', async () => {
    body = 'four';
    headers = { 'content-length': '4', 'X-A': 'a' };
    const response = await fetch(urlOf(server.address()));
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-length': '4', 'x-a': 'a' });
  });

  it('sends a text in UTF-8', async () => {
    body = 'Zoë — 東京';
    const response = await fetch(urlOf(server.address()));
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    expect(await response.text()).toBe(body);
  });
});

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') {
    throw new Error('The server has no port');
  }
  return `http://127.0.0.1:${address.port}/`;
}
