import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { StopController } from '@meridian/cancellation';
import { allocateBody } from '@meridian/http';
import type { Exchange, ServeExchange } from '@meridian/http';
import { eventually } from '@meridian/testing';

import { get, holdExchanges, paths, pathsAndTls, post, startExchangeServer } from './exchange-server.ts';
import type { ExchangeServer, Path } from './exchange-server.ts';

const signal = new StopController();
let server: ExchangeServer;

afterEach(() => server.close());

/** Answers with the body of the request. */
const echo: ServeExchange = (exchange) => void respondWithBody(exchange);

async function respondWithBody(exchange: Exchange): Promise<void> {
  const body = await exchange.readBody({ maxBytes: 100_000_000, signal });
  exchange.send({ status: 200, body: `[${exchange.url} ${body.length}]` }, []);
}

/** More than the buffers of both sides of a connection take. */
const largeBody = Buffer.alloc(30_000_000, 'x');

async function start(serve: ServeExchange, path: Path): Promise<void> {
  server = await startExchangeServer(serve, path);
}

/** A client that has sent a request, which waits for its response. */
async function begin(path: Path, request = get()) {
  const held = holdExchanges();
  await start(held.serve, path);
  const client = await server.connect();
  client.socket.write(request);
  return { ...client, held, exchange: await held.arrival(0) };
}

describe('A process that was late', () => {
  // The server's next check is due before it reads.
  const block = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);

  it('serves what has arrived meanwhile', async () => {
    server = await startExchangeServer(echo, 'fast', { headLimits: { maxHeadMs: 100 } });
    const accepted = once(server.server, 'connection');
    const { socket, received } = await server.connect();
    await accepted;
    socket.write(get('/waits'));
    block();
    await eventually(() => expect(received()).toContain('[/waits 0]'));
    socket.destroy();
  });

  it('ends a connection that has brought nothing', async () => {
    server = await startExchangeServer(echo, 'fast', { headLimits: { maxHeadMs: 100 } });
    const accepted = once(server.server, 'connection');
    const { socket } = await server.connect();
    await accepted;
    const [silent] = server.accepted;
    block();
    // No further check is due in these turns.
    for (let turn = 0; turn < 10; turn += 1) {
      await nextTurn();
    }
    expect(silent?.destroyed).toBe(true);
    socket.destroy();
  });
});

describe.each(paths)('A slow request, %s,', (_name, path) => {
  it('is served when the last piece has arrived', async () => {
    await start(echo, path);
    const { socket, received } = await server.connect();
    for (const piece of ['POST /1 HTTP/1.1\r\nHost: a\r\nContent-', 'Length: 6\r\n\r', '\nab', 'cd', 'ef']) {
      socket.write(piece);
      await nextTurn();
    }
    await eventually(() => expect(received()).toContain('[/1 6]'));
    socket.destroy();
  });

  it('is served when its body takes longer than the fast path holds it', async () => {
    await start(echo, path);
    const { socket, received } = await server.connect();
    const request = post('abcdef', '/slow');
    socket.write(request.slice(0, -3));
    // The fast path gives the connection away after a second.
    const [accepted] = server.accepted;
    await eventually(() => expect(accepted?.listenerCount('drain')).toBeGreaterThan(0));
    socket.write(request.slice(-3));
    await eventually(() => expect(received()).toContain('[/slow 6]'));
    socket.write(get('/next'));
    await eventually(() => expect(received()).toContain('[/next 0]'));
    socket.destroy();
  });

  it('gets 408 when its head does not arrive completely', async () => {
    await start(echo, path);
    server.server.headersTimeout = 100;
    const { socket, ended } = await server.connect();
    socket.write('GET / HTTP/1.1\r\nHo');
    expect(await ended).toMatch(
      /^HTTP\/1\.1 408 [^]*"type":"https:\/\/api\.example\/problems\/request-timeout"/u,
    );
  });

  it('gets 408 when its body does not arrive completely', async () => {
    const held = holdExchanges();
    await start(held.serve, path);
    // The shorter of the two is for the head.
    server.server.headersTimeout = 50;
    server.server.requestTimeout = 100;
    const { socket, ended } = await server.connect();
    socket.write(post('abc').slice(0, -1));
    expect(await ended).toMatch(
      /^HTTP\/1\.1 408 [^]*"type":"https:\/\/api\.example\/problems\/request-timeout"/u,
    );
    await eventually(() => expect(held.ends).toEqual([499]));
  });
});

describe.each(pathsAndTls)('A client that ends its side, %s,', (_name, path) => {
  it('is disconnected when it has sent nothing', async () => {
    await start(echo, path);
    const { socket, ended } = await server.connect();
    socket.end();
    expect(await ended).toBe('');
  });

  it('is disconnected in the middle of a request', async () => {
    const held = holdExchanges();
    await start(held.serve, path);
    const { socket, ended } = await server.connect();
    socket.end(post('abc').slice(0, -1));
    expect(await ended).toBe('');
    expect(held.ends.filter((status) => status !== 499)).toEqual([]);
  });

  it('gets no response that is not ready, and its request ends once, with 499', async () => {
    const { socket, ended, held, exchange } = await begin(path);
    socket.end();
    expect(await ended).toBe('');
    await eventually(() => expect(held.ends).toEqual([499]));
    exchange.send({ status: 200, body: 'late' }, []);
    exchange.destroy();
    await nextTurn();
    expect(held.ends).toEqual([499]);
  });

  it('gets all of a response that is on its way', async () => {
    const { socket, ended, held, exchange } = await begin(path);
    socket.pause();
    exchange.send({ status: 200, body: largeBody }, []);
    socket.end();
    await once(socket, 'finish');
    expect(held.ends).toEqual([]);
    socket.resume();
    expect((await ended).split('\r\n\r\n')[1]).toHaveLength(largeBody.length);
    await eventually(() => expect(held.ends).toEqual([200]));
  });

  it('is disconnected after its response', async () => {
    const { socket, statuses, ended, held, exchange } = await begin(path);
    exchange.send({ status: 200, body: 'done' }, []);
    await eventually(() => expect(statuses()).toEqual([200]));
    socket.end();
    expect(await ended).toMatch(/done$/u);
    expect(held.ends).toEqual([200]);
  });
});

describe('A client that ends its side during a response, with the fast path,', () => {
  // Node does not read while a large response is on its way, and so may begin it.
  it('has its next request dropped', async () => {
    const held = holdExchanges();
    await start(held.serve, 'fast');
    const { socket, ended } = await server.connect();
    socket.pause();
    socket.write(get('/1'));
    const first = await held.arrival(0);
    first.send({ status: 200, body: largeBody }, []);
    socket.end(get('/2'));
    await once(socket, 'finish');
    socket.resume();
    await ended;
    await eventually(() => expect(held.ends).toEqual([200]));
    expect(held.arrived.map(({ url }) => url)).toEqual(['/1']);
  });
});

describe.each(paths)('A client that resets its connection, %s,', (_name, path) => {
  it('ends its request with 499, once', async () => {
    const { socket, held, exchange } = await begin(path);
    socket.resetAndDestroy();
    await eventually(() => expect(held.ends).toEqual([499]));
    exchange.send({ status: 200, body: 'late' }, []);
    exchange.destroy();
    await nextTurn();
    expect(held.ends).toEqual([499]);
  });

  it('ends its request with 499 when the server does not know of the reset yet', async () => {
    const { socket, held, exchange } = await begin(path);
    socket.resetAndDestroy();
    exchange.send({ status: 200, body: 'late' }, []);
    await eventually(() => expect(held.ends).toEqual([499]));
  });

  it('ends its request with 499 in the middle of the response', async () => {
    const { socket, held, exchange } = await begin(path);
    socket.pause();
    exchange.send({ status: 200, body: largeBody }, []);
    socket.resetAndDestroy();
    await eventually(() => expect(held.ends).toEqual([499]));
  });
});

describe.each(pathsAndTls)('A response, %s,', (_name, path) => {
  it.each([
    ['small', 1000],
    ['large', 8_000_000],
  ])('has the head of its client, although clients share its body: %s', async (_size, length) => {
    const body = allocateBody(length).fill('x');
    const { socket, ended, held, exchange } = await begin(path, get('/1'));
    socket.pause();
    exchange.send({ status: 200, body }, ['To', 'one']);
    const others = [`two${'o'.repeat(600)}`, 'three'];
    for (const [index, to] of others.entries()) {
      const other = await server.connect();
      other.socket.write(get(`/${to}`));
      (await held.arrival(index + 1)).send({ status: 201, body, headers: { Connection: 'close' } }, [
        'To',
        to,
      ]);
      const text = await other.ended;
      expect(text).toContain(`To: ${to}\r\n`);
      expect(text.split('\r\n\r\n')[1]).toHaveLength(length);
    }
    socket.resume();
    await eventually(() => expect(held.ends).toContain(200));
    socket.end();
    expect(await ended).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*To: one\r\n/u);
  });

  it('has ended when a slow reader has got all of it', async () => {
    const { socket, received, held, exchange } = await begin(path, get('/1'));
    socket.pause();
    exchange.send({ status: 200, body: largeBody }, []);
    // Another client's request shows that the server has gone on meanwhile.
    const other = await server.connect();
    other.socket.write(get('/2'));
    (await held.arrival(1)).send({ status: 201 }, []);
    await eventually(() => expect(other.statuses()).toEqual([201]));
    expect(held.ends).toEqual([201]);
    socket.resume();
    await eventually(() => expect(held.ends).toEqual([201, 200]));
    socket.write(get('/3'));
    (await held.arrival(2)).send({ status: 202, body: 'next' }, []);
    await eventually(() => expect(received()).toMatch(/next$/u));
    other.socket.destroy();
    socket.destroy();
  });

  it('ends the connection with Connection: close', async () => {
    const { ended, held, exchange } = await begin(path);
    exchange.send({ status: 200, headers: { Connection: 'close' }, body: 'last' }, []);
    const text = await ended;
    expect(text).toMatch(/^Connection: close\r$/mu);
    expect(text).not.toContain('keep-alive');
    expect(text).toMatch(/last$/u);
    await eventually(() => expect(held.ends).toEqual([200]));
  });

  it.each([
    ['a line break in a value', { 'X-A': 'a\r\nX-B: b' }],
    ['a character above Latin-1 in a value', { 'X-A': '\u20ac' }],
    ['a space in a name', { 'X A': 'a' }],
  ])('is not sent with %s, and another can be sent instead', async (_what, headers) => {
    const { socket, received, held, exchange } = await begin(path);
    // The other response before it, of another client.
    const other = await server.connect();
    other.socket.write(get());
    (await held.arrival(1)).send({ status: 200, headers: { 'X-Secret': 's' } }, []);
    const send = (): void => exchange.send({ status: 200, headers }, []);
    expect(send).toThrow(TypeError);
    expect(send).toThrow(TypeError);
    expect(() => exchange.send({ status: 200 }, ['X-A', '\n'])).toThrow(TypeError);
    expect(received()).toBe('');
    exchange.send({ status: 500, headers: { 'X-A': 'a' }, body: 'failed' }, []);
    await eventually(() => expect(received()).toMatch(/failed$/u));
    expect(received()).not.toContain('X-Secret');
    await eventually(() => expect(held.ends).toEqual([200, 500]));
    socket.destroy();
    other.socket.destroy();
  });

  it.each([0, 99, 1000, Number.NaN])('is not sent with the status %d', async (status) => {
    const { socket, statuses, exchange } = await begin(path);
    expect(() => exchange.send({ status }, [])).toThrow(RangeError);
    exchange.send({ status: 299 }, []);
    await eventually(() => expect(statuses()).toEqual([299]));
    socket.destroy();
  });

  it('is sent once, and a finished exchange leaves the next request of the connection alone', async () => {
    const { socket, received, statuses, held, exchange: first } = await begin(path, get('/1'));
    first.send({ status: 200, body: 'first' }, []);
    expect(() => first.send({ status: 201, body: 'again' }, [])).toThrow(Error);
    await eventually(() => expect(held.ends).toEqual([200]));
    socket.write(get('/2'));
    const second = await held.arrival(1);
    expect(() => first.send({ status: 201, body: 'again' }, [])).toThrow(Error);
    first.destroy();
    second.send({ status: 202, body: 'second' }, []);
    await eventually(() => expect(received()).toMatch(/second$/u));
    expect(statuses()).toEqual([200, 202]);
    socket.destroy();
  });

  it('does not come when the exchange is destroyed', async () => {
    const { ended, held, exchange } = await begin(path);
    exchange.destroy();
    expect(await ended).toBe('');
    await eventually(() => expect(held.ends).toEqual([499]));
  });
});

describe.each(paths)('A client that pipelines, %s,', (_name, path) => {
  it.each([2, 10, 32])('gets %d responses in the order of its requests', async (count) => {
    const held = holdExchanges();
    await start(held.serve, path);
    const { socket, received } = await server.connect();
    const targets = Array.from({ length: count }, (_, index) => `/${index}`);
    socket.write(targets.map((target) => get(target)).join(''));
    for (const [index, target] of targets.entries()) {
      const exchange = await held.arrival(index);
      expect(exchange.url).toBe(target);
      // One at a time.
      expect(held.arrived).toHaveLength(index + 1);
      exchange.send({ status: 200, body: `[${target}]` }, []);
    }
    await eventually(() =>
      expect([...received().matchAll(/\[(.*)\]/gu)].map(([, target]) => target)).toEqual(targets),
    );
    socket.destroy();
  });

  it('gets 503 for its 33rd request that waits, and is disconnected', async () => {
    const held = holdExchanges();
    await start(held.serve, path);
    const { socket, statuses, ended } = await server.connect();
    socket.write(Array.from({ length: 40 }, (_, index) => get(`/${index}`)).join(''));
    for (let index = 0; index < 32; index += 1) {
      (await held.arrival(index)).send({ status: 200, body: 'x' }, []);
    }
    await ended;
    expect(statuses()).toEqual([...Array.from({ length: 32 }, () => 200), 503]);
    expect(held.arrived).toHaveLength(32);
  });

  it('gets its responses when it sends the next requests before it has the first response', async () => {
    const { socket, received, held, exchange: first } = await begin(path, get('/0'));
    socket.write(get('/1') + get('/2').slice(0, 9));
    await nextTurn();
    socket.write(get('/2').slice(9));
    first.send({ status: 200, body: '[0]' }, []);
    (await held.arrival(1)).send({ status: 200, body: '[1]' }, []);
    (await held.arrival(2)).send({ status: 200, body: '[2]' }, []);
    await eventually(() => expect(received().match(/\[\d\]/gu)).toEqual(['[0]', '[1]', '[2]']));
    expect(held.arrived.map(({ url }) => url)).toEqual(['/0', '/1', '/2']);
    socket.destroy();
  });

  it.each([
    [
      'many requests',
      (): string => Array.from({ length: 8 }, () => post('x'.repeat(30_000), '/next')).join(''),
    ],
    ['one request', (): string => post('x'.repeat(240_000), '/next') + get('/next').repeat(7)],
  ])('is not read far ahead, and gets its responses: %s', async (_what, requests) => {
    const held = holdExchanges();
    let isFirst = true;
    await start((exchange) => (isFirst ? held : { serve: echo }).serve(exchange), path);
    const { socket, received } = await server.connect();
    socket.write(get('/first'));
    const first = await held.arrival(0);
    isFirst = false;
    socket.write(requests());
    await nextTurn();
    first.send({ status: 200, body: '[first]' }, []);
    await eventually(() => expect(received().match(/\[.*?\]/gu)).toHaveLength(9));
    expect(received()).toMatch(/^[^[]*\[first\]/u);
    socket.destroy();
  });
});

describe('A client that sends far ahead, with the fast path,', () => {
  it('is read up to a bound until it has its response', async () => {
    const { socket, statuses, held, exchange: first } = await begin('fast', get('/first'));
    socket.write(post('x'.repeat(20_000_000), '/second'));
    const [accepted] = server.accepted;
    await eventually(() => expect(accepted?.isPaused()).toBe(true));
    for (let turn = 0; turn < 50; turn += 1) {
      await nextTurn();
    }
    expect(accepted?.bytesRead).toBeLessThan(400_000);
    first.send({ status: 200 }, []);
    const second = await held.arrival(1);
    expect((await second.readBody({ maxBytes: 20_000_000, signal })).length).toBe(20_000_000);
    second.send({ status: 201 }, []);
    await eventually(() => expect(statuses()).toEqual([200, 201]));
    socket.destroy();
  });
});
