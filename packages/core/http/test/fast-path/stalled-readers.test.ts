import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { get, holdExchanges, paths, pathsAndTls, startExchangeServer } from './exchange-server.ts';
import type { ExchangeServer, HeldExchanges, Path } from './exchange-server.ts';

/** More than the buffers of both sides of a connection take. */
const largeBody = Buffer.alloc(30_000_000, 'x');
const maxStallMs = 500;
/** A response without progress ends sooner: the server checks each second. */
const surelyStalledMs = maxStallMs + 2000;

let server: ExchangeServer;
let held: HeldExchanges;

afterEach(() => server.close());

async function start(
  path: Path,
  limits: Parameters<typeof startExchangeServer>[2] = { maxStallMs },
): Promise<void> {
  held = holdExchanges();
  server = await startExchangeServer(held.serve, path, limits);
}

describe.each(pathsAndTls)('A client that does not read its response, %s,', (_name, path) => {
  it.each([
    ['kept', {}],
    ['last', { Connection: 'close' }],
  ])('is disconnected, and its request ends with 499: a %s connection', async (_what, headers) => {
    await start(path);
    const { socket } = await server.connect();
    socket.pause();
    socket.write(get());
    (await held.arrival(0)).send({ status: 200, headers, body: largeBody }, []);
    await eventually(() => expect(held.ends).toEqual([499]));
    expect(server.accepted.size).toBe(0);
    socket.destroy();
  });

  it('is disconnected although it keeps sending', async () => {
    await start(path);
    const { socket } = await server.connect();
    socket.pause();
    socket.write(get());
    (await held.arrival(0)).send({ status: 200, body: largeBody }, []);
    const timer = setInterval(() => socket.write('G'), 100);
    await eventually(() => expect(held.ends).toEqual([499]));
    clearInterval(timer);
    expect(server.accepted.size).toBe(0);
    socket.destroy();
  });
});

describe.each(pathsAndTls)('While too many bytes wait for clients, %s,', (_name, path) => {
  it('one that does not read its response is disconnected within seconds', async () => {
    await start(path, { maxStallMs: 1e9, maxWaitingBytes: largeBody.length / 2 });
    const { socket } = await server.connect();
    socket.pause();
    socket.write(get());
    (await held.arrival(0)).send({ status: 200, body: largeBody }, []);
    await eventually(() => expect(held.ends).toEqual([499]));
    socket.destroy();
  });
});

describe.each(paths)('A client that reads slowly, %s,', (_name, path) => {
  it('gets all of its response', async () => {
    await start(path);
    const { socket, receivedBytes } = await server.connect();
    socket.pause();
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    const startedMs = performance.now();
    socket.write(get());
    (await held.arrival(0)).send({ status: 200, body: largeBody }, []);
    socket.resume();
    await eventually(() => expect(held.ends).toEqual([200]));
    expect(performance.now() - startedMs).toBeGreaterThan(surelyStalledMs);
    socket.removeAllListeners('data').resume();
    await eventually(() => expect(receivedBytes()).toBeGreaterThan(largeBody.length));
    socket.destroy();
  });
});

describe.each(pathsAndTls)('A client that waits, %s,', (_name, path) => {
  it('is kept while its response is not ready, and between two requests', async () => {
    await start(path);
    const { socket, statuses } = await server.connect();
    socket.write(get('/1'));
    const first = await held.arrival(0);
    await delay(surelyStalledMs);
    first.send({ status: 200, body: 'first' }, []);
    await eventually(() => expect(statuses()).toEqual([200]));
    await delay(surelyStalledMs);
    socket.write(get('/2'));
    (await held.arrival(1)).send({ status: 201, body: 'second' }, []);
    await eventually(() => expect(statuses()).toEqual([200, 201]));
    expect(held.ends).toEqual([200, 201]);
    socket.destroy();
  });
});
