import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { get, holdExchanges, pathsAndTls, startExchangeServer } from './exchange-server.ts';
import type { ExchangeServer, HeldExchanges, Path } from './exchange-server.ts';

const final = 'GET /final HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const malformed = 'nonsense\r\n\r\n';

let server: ExchangeServer;
let held: HeldExchanges;

afterEach(() => server.close());

async function start(path: Path): Promise<void> {
  held = holdExchanges();
  server = await startExchangeServer(held.serve, path);
}

async function expectNoRejection(): Promise<void> {
  expect(server.lines().filter(({ msg }) => msg === 'request rejected')).toEqual([]);
  expect(await server.metrics.registry.metrics()).not.toMatch(/problems_total\{/u);
}

describe.each(pathsAndTls)('Bytes after a request with Connection: close, %s,', (_name, path) => {
  it.each([
    ['a well-formed request', get('/next')],
    ['a malformed request', malformed],
  ])('are ignored when they come with it: %s', async (_what, bytes) => {
    await start(path);
    const { socket, statuses, ended } = await server.connect();
    socket.write(final + bytes);
    (await held.arrival(0)).send({ status: 200, body: 'final' }, []);
    expect(await ended).toMatch(/final$/u);
    expect(statuses()).toEqual([200]);
    expect(held.arrived).toHaveLength(1);
    await eventually(() => expect(held.ends).toEqual([200]));
    await expectNoRejection();
  });

  it.each([
    ['a well-formed request', get('/next')],
    ['a malformed request', malformed],
  ])('are ignored when they come before its response: %s', async (_what, bytes) => {
    await start(path);
    const { socket, statuses, ended } = await server.connect();
    socket.write(final);
    const exchange = await held.arrival(0);
    const [accepted] = server.accepted;
    for (const piece of [bytes, bytes]) {
      const bytesBefore = accepted?.bytesRead ?? 0;
      socket.write(piece);
      await eventually(() => expect(accepted?.bytesRead).toBe(bytesBefore + piece.length));
    }
    exchange.send({ status: 200, body: 'final' }, []);
    expect(await ended).toMatch(/final$/u);
    expect(statuses()).toEqual([200]);
    expect(held.arrived).toHaveLength(1);
    await eventually(() => expect(held.ends).toEqual([200]));
    await expectNoRejection();
  });
});

describe.each(pathsAndTls)('A malformed request, %s,', (_name, path) => {
  it('is not counted when the response before it ends the connection', async () => {
    await start(path);
    const { socket, statuses, ended } = await server.connect();
    socket.write(get('/first') + malformed);
    const response = { status: 200, headers: { Connection: 'close' }, body: 'last' };
    (await held.arrival(0)).send(response, []);
    expect(await ended).toMatch(/last$/u);
    expect(statuses()).toEqual([200]);
    await eventually(() => expect(held.ends).toEqual([200]));
    await expectNoRejection();
  });
});
