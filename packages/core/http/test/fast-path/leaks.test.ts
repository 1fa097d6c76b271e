import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';
import type { Exchange } from '@meridian/http';
import { eventually } from '@meridian/testing';

import { get, post, startExchangeServer } from './exchange-server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes that a client sends before it ends its side: of requests that are served, and of some that are not. */
const clients: readonly string[] = [
  get(),
  post('abc'),
  get().repeat(2),
  'GET / HTTP/1.1\r\nX',
  post('abc').slice(0, -1),
];

describe('A server with the fast path', () => {
  it('holds nothing of ten thousand connections that have ended', async () => {
    const exchanges: WeakRef<Exchange>[] = [];
    const sockets: WeakRef<object>[] = [];
    const server = await startExchangeServer((exchange) => {
      exchanges.push(new WeakRef(exchange));
      exchange.send({ status: 200, body: 'x' }, []);
    });
    server.server.on('connection', (socket) => sockets.push(new WeakRef(socket)));
    let count = 0;
    const connectSome = async (): Promise<void> => {
      while (count < 10_000) {
        const bytes = clients[count % clients.length] ?? '';
        count += 1;
        const { socket, ended } = await server.connect();
        socket.end(bytes);
        await ended;
      }
    };
    await Promise.all(Array.from({ length: 50 }, connectSome));
    await eventually(() => expect(server.accepted.size).toBe(0));
    expect(sockets).toHaveLength(10_000);
    expect(exchanges).toHaveLength(8000);
    await eventually(() => {
      collectGarbage();
      // The latest may still be on the stack, or in a list of Node that is used again.
      expect(countAlive(sockets)).toBeLessThan(10);
      expect(countAlive(exchanges)).toBeLessThan(10);
    });
    await server.close();
  });
});

function countAlive(references: readonly WeakRef<object>[]): number {
  return references.filter((reference) => reference.deref() !== undefined).length;
}
