import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { get, holdExchanges, pathsAndTls, startExchangeServer } from '../fast-path/exchange-server.ts';
import type { ExchangeServer } from '../fast-path/exchange-server.ts';

let server: ExchangeServer;

afterEach(() => server.close());

async function openConnections(): Promise<number> {
  const [, count] =
    /^http_server_open_connections\{.*\} (\d+)$/mu.exec(await server.metrics.registry.metrics()) ?? [];
  return Number(count);
}

describe.each(pathsAndTls)('A server whose connections are all in use, %s,', (_name, path) => {
  it('closes a new one at once, counts it and says so once, and takes others when one has ended', async () => {
    const held = holdExchanges();
    server = await startExchangeServer(held.serve, path, { maxConnections: 2, endedIdleMs: 0 });
    const [first, second] = [await server.connect(), await server.connect()];
    first.socket.write(get('/1'));
    second.socket.write(get('/2'));
    await held.arrival(1);
    for (let count = 0; count < 3; count += 1) {
      const { socket, ended } = await server.connect();
      socket.write(get('/refused'));
      expect(await ended).toBe('');
    }
    expect(held.arrived.map(({ url }) => url).toSorted()).toEqual(['/1', '/2']);
    expect(await server.metrics.registry.metrics()).toMatch(/connections_refused_total\{.*\} 3$/mu);
    expect(server.lines().filter(({ maxConnections }) => maxConnections === 2)).toHaveLength(1);
    expect(await openConnections()).toBe(2);

    first.socket.destroy();
    await eventually(async () => expect(await openConnections()).toBe(1));
    const { socket, ended } = await server.connect();
    socket.write(get('/3'));
    (await held.arrival(2)).send({ status: 200, headers: { Connection: 'close' }, body: 'third' }, []);
    expect(await ended).toMatch(/third$/u);
    second.socket.destroy();
  });

  it('ends one that is idle to make room, and none with a request under way', async () => {
    const held = holdExchanges();
    server = await startExchangeServer(held.serve, path, { maxConnections: 2, endedIdleMs: 0 });
    const [busy, idle] = [await server.connect(), await server.connect()];
    busy.socket.write(get('/busy'));
    const exchange = await held.arrival(0);
    idle.socket.write(get('/idle'));
    (await held.arrival(1)).send({ status: 200, body: 'done' }, []);
    await eventually(() => expect(idle.statuses()).toEqual([200]));

    const next = await server.connect();
    next.socket.write(get('/next'));
    (await held.arrival(2)).send({ status: 201, body: 'next' }, []);
    await eventually(() => expect(next.statuses()).toEqual([201]));
    expect(await idle.ended).toMatch(/done$/u);
    exchange.send({ status: 200, body: 'still there' }, []);
    await eventually(() => expect(busy.received()).toMatch(/still there$/u));
    expect(await openConnections()).toBe(2);
    expect(await server.metrics.registry.metrics()).toMatch(/connections_refused_total\{.*\} 0$/mu);
    busy.socket.destroy();
    next.socket.destroy();
  });
});

describe.each(pathsAndTls)('Pipelined requests with large heads, %s,', (_name, path) => {
  const large = (target: string): string =>
    `GET ${target} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(30_000)}\r\n\r\n`;

  it('are rejected when 128 KiB of them wait', async () => {
    const held = holdExchanges();
    server = await startExchangeServer(held.serve, path);
    const { socket, statuses, ended } = await server.connect();
    const bytes = large('/1').repeat(6);
    socket.write(bytes);
    await eventually(() => expect([...server.accepted][0]?.bytesRead).toBe(bytes.length));
    for (let index = 0; index < 4; index += 1) {
      (await held.arrival(index)).send({ status: 200, body: 'x' }, []);
    }
    await ended;
    expect(statuses()).toEqual([200, 200, 200, 200, 503]);
    expect(held.arrived).toHaveLength(4);
  });

  it('end their connection when the client goes on', async () => {
    const held = holdExchanges();
    server = await startExchangeServer(held.serve, path);
    const { socket, ended } = await server.connect();
    socket.write(large('/1').repeat(20));
    expect(await ended).toBe('');
    await eventually(() => expect(held.ends).toEqual([499]));
  });
});
