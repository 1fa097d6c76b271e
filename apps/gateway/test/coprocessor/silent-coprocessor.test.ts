// A coprocessor that accepts connections, and never answers a TLS handshake.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { CoprocessorClient } from '../../src/coprocessor/coprocessor-client.ts';
import { createCoprocessorClient } from '../../src/coprocessor/coprocessor-client.ts';

const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {}).resume();
});
let url: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets) {
    socket.destroy();
  }
  server.close();
});

function clientWith(timeout: number): CoprocessorClient {
  return createCoprocessorClient({
    timeout,
    client: {
      dns_resolution_strategy: 'ipv4_only',
      experimental_http2: 'enable',
      experimental_http2_keep_alive_interval: undefined,
      pool_idle_timeout: 5000,
    },
  });
}

describe('A request to a coprocessor that never finishes connecting', () => {
  it('fails at its time, and does not hold up the end of its configuration', async () => {
    const client = clientWith(100);
    const signal = new AbortController().signal;
    await expect(client.post(url, '{}', { headers: {}, signal })).rejects.toThrow(
      'no response within 100 ms',
    );
    await client.close();
  });

  it('ends with its own request', async () => {
    const client = clientWith(60_000);
    const leaving = new AbortController();
    const post = client.post(url, '{}', { headers: {}, signal: leaving.signal });
    leaving.abort(new Error('the client left'));
    await expect(post).rejects.toThrow('the client left');
  });
});
