import type { IncomingHttpHeaders } from 'node:http';

import { describe, expect, it } from '@jest/globals';
import type { Exchange } from '@meridian/http';

import { isFromThisMachine } from '../../src/explorer/with-explorer.ts';

/** A request from a peer, as far as it is looked at. */
function requestFrom(
  peer: string | undefined,
  headers: IncomingHttpHeaders,
): Pick<Exchange, 'peer' | 'headers'> {
  return { peer, headers };
}

const host = '127.0.0.1:4000';

describe('isFromThisMachine', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('accepts the peer %s', (peer) => {
    expect(isFromThisMachine(requestFrom(peer, { host }))).toBe(true);
  });

  it.each(['203.0.113.9', '10.0.0.1', '::ffff:203.0.113.9', '2001:db8::1', undefined])(
    'refuses the peer %s, whatever its Host says',
    (peer) => {
      expect(isFromThisMachine(requestFrom(peer, { host }))).toBe(false);
    },
  );

  it.each(['localhost', 'localhost:4000', 'LOCALHOST:4000', '127.0.0.1', '[::1]:4000'])(
    'accepts the Host %s',
    (name) => {
      expect(isFromThisMachine(requestFrom('127.0.0.1', { host: name }))).toBe(true);
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:4000',
    '',
    undefined,
  ])('refuses the Host %s, which may be a name that resolves to loopback', (name) => {
    expect(isFromThisMachine(requestFrom('127.0.0.1', { host: name }))).toBe(false);
  });

  it.each([{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }])(
    'refuses a request that came through a proxy: %j',
    (headers) => {
      expect(isFromThisMachine(requestFrom('127.0.0.1', { host, ...headers }))).toBe(false);
    },
  );
});
