import { once } from 'node:events';
import { request as requestOf } from 'node:http';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import type { WholeBody } from '@meridian/http';
import { createRandom, eventually } from '@meridian/testing';

import { get, holdExchanges, paths, post, startExchangeServer } from './exchange-server.ts';
import type { ExchangeServer, HeldExchanges, Path } from './exchange-server.ts';

let server: ExchangeServer;
let held: HeldExchanges;

afterEach(() => server.close());

async function start(path: Path, maxStallMs?: number): Promise<void> {
  held = holdExchanges();
  server = await startExchangeServer(held.serve, path, maxStallMs === undefined ? {} : { maxStallMs });
}

/** A body whose parts a test gives one by one. */
class GivenParts implements AsyncIterableIterator<WholeBody> {
  requested = 0;
  returned = 0;
  readonly #given: IteratorResult<WholeBody>[] = [];
  #pending: PromiseWithResolvers<IteratorResult<WholeBody>> | undefined;

  [Symbol.asyncIterator](): this {
    return this;
  }

  give(value: WholeBody): void {
    this.#settle({ done: false, value });
  }

  end(): void {
    this.#settle({ done: true, value: undefined });
  }

  fail(error: Error): void {
    this.#pending?.reject(error);
  }

  async next(): Promise<IteratorResult<WholeBody>> {
    this.requested += 1;
    const ready = this.#given.shift();
    this.#pending = Promise.withResolvers();
    return ready ?? (await this.#pending.promise);
  }

  async return(): Promise<IteratorResult<WholeBody>> {
    this.returned += 1;
    return await Promise.resolve({ done: true, value: undefined });
  }

  #settle(result: IteratorResult<WholeBody>): void {
    if (this.#pending === undefined) {
      this.#given.push(result);
    } else {
      this.#pending.resolve(result);
      this.#pending = undefined;
    }
  }
}

/** A client that is sent a body, in parts that the test gives. */
async function beginParts(path: Path, request = get()) {
  await start(path);
  const parts = new GivenParts();
  const client = await server.connect();
  client.socket.write(request);
  (await held.arrival(0)).send({ status: 200, body: parts }, []);
  return { client, parts };
}

async function* partsOf(...parts: readonly WholeBody[]): AsyncGenerator<WholeBody> {
  for (const part of parts) {
    yield await Promise.resolve(part);
  }
}

describe.each(paths)('A body in parts, %s,', (_name, path) => {
  it('gets to the client part by part, in chunks and without a length', async () => {
    await start(path);
    const parts = new GivenParts();
    const client = await server.connect();
    client.socket.write(get());
    (await held.arrival(0)).send({ status: 200, headers: { 'Content-Length': '9' }, body: parts }, [
      'X-A',
      'b',
    ]);
    await eventually(() => expect(client.received()).toMatch(/\r\n\r\n$/u));
    expect(client.received()).toContain('\r\nTransfer-Encoding: chunked\r\n');
    expect(client.received()).toContain('\r\nX-A: b\r\n');
    expect(client.received()).not.toContain('Content-Length');
    parts.give('é');
    await eventually(() => expect(client.received()).toMatch(/\r\n\r\n2\r\nÃ©\r\n$/u));
    parts.give('');
    parts.give(Buffer.from('second'));
    await eventually(() => expect(client.received()).toMatch(/Ã©\r\n6\r\nsecond\r\n$/u));
    expect(held.ends).toEqual([]);
    parts.end();
    await eventually(() => expect(client.received()).toMatch(/second\r\n0\r\n\r\n$/u));
    await eventually(() => expect(held.ends).toEqual([200]));
    expect(parts.returned).toBe(0);
  });

  it('keeps its connection, and the next requests on it wait for the end', async () => {
    const { client, parts } = await beginParts(path, get('/1'));
    parts.give('first');
    await eventually(() => expect(client.received()).toContain('first'));
    client.socket.write(get('/2') + post('x', '/3'));
    await nextTurn();
    parts.give('second');
    await eventually(() => expect(client.received()).toContain('second'));
    expect(held.arrived).toHaveLength(1);
    parts.end();
    (await held.arrival(1)).send({ status: 201, body: partsOf('two') }, []);
    (await held.arrival(2)).send({ status: 202, body: 'three' }, []);
    await eventually(() => expect(client.received()).toMatch(/three$/u));
    expect(client.statuses()).toEqual([200, 201, 202]);
    expect(held.ends).toEqual([200, 201, 202]);
  });

  it('is as it was given, whatever its parts', async () => {
    await start(path);
    const random = createRandom('parts');
    const bodies = Array.from({ length: 20 }, () =>
      Array.from({ length: random.below(8) }, () => {
        const length = random.pick([0, 1, 15, 16, 255, 4096, 12_287, 12_288, 12_289, 70_000]);
        const text = String.fromCodePoint(
          ...Array.from({ length }, () => random.pick([65, 10, 13, 233, 0x65e5])),
        );
        return random.chance(0.5) ? text : Buffer.from(text, 'latin1').subarray(random.below(3));
      }),
    );
    for (const [index, body] of bodies.entries()) {
      const fetched = fetch(`http://127.0.0.1:${server.port}/`);
      (await held.arrival(index)).send({ status: 200, body: partsOf(...body) }, []);
      const bytes = Buffer.from(await (await fetched).arrayBuffer());
      expect(bytes.equals(Buffer.concat(body.map((part) => Buffer.from(part))))).toBe(true);
    }
  });

  it('is not sent where a response has no body', async () => {
    await start(path);
    const parts = [new GivenParts(), new GivenParts(), new GivenParts()];
    const client = await server.connect();
    client.socket.write(get());
    (await held.arrival(0)).send({ status: 204, body: parts[0] ?? '' }, []);
    client.socket.write(get());
    (await held.arrival(1)).send({ status: 304, body: parts[1] ?? '' }, []);
    client.socket.write('HEAD / HTTP/1.1\r\nHost: a\r\n\r\n');
    (await held.arrival(2)).send({ status: 200, body: parts[2] ?? '' }, []);
    await eventually(() => expect(held.ends).toEqual([204, 304, 200]));
    expect(client.received()).not.toContain('chunked');
    expect(parts.map(({ returned, requested }) => [returned, requested])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
  });

  it('that has no parts breaks off, and nothing else', async () => {
    await start(path);
    const client = await server.connect();
    client.socket.write(get());
    const exchange = await held.arrival(0);
    exchange.send({ status: 200, body: {} as AsyncIterable<WholeBody> }, []);
    await eventually(() => expect(held.ends).toEqual([500]));
  });

  it('ends with the connection of a client that speaks HTTP/1.0', async () => {
    await start(path);
    const client = await server.connect();
    client.socket.write('GET / HTTP/1.0\r\n\r\n');
    (await held.arrival(0)).send({ status: 200, body: partsOf('one', 'two') }, []);
    const received = await client.ended;
    expect(received).toMatch(/\r\n\r\nonetwo$/u);
    expect(received).not.toMatch(/^(?:transfer-encoding|content-length)/imu);
    await eventually(() => expect(held.ends).toEqual([200]));
  });

  it.each(['HTTP/1.1', 'HTTP/1.0'])('that fails is incomplete to the client: %s', async (version) => {
    await start(path);
    const parts = new GivenParts();
    const failures: unknown[] = [];
    const client = await server.connect();
    const errors: unknown[] = [];
    client.socket.on('error', (error) => errors.push(error));
    client.socket.write(`GET / ${version}\r\nHost: a\r\n\r\n`);
    const exchange = await held.arrival(0);
    exchange.onEnd((_status, failure) => failures.push(failure));
    exchange.send({ status: 200, body: parts }, []);
    parts.give('first');
    await eventually(() => expect(client.received()).toContain('first'));
    const failure = new Error('no more');
    parts.fail(failure);
    const received = await client.ended;
    expect(received).not.toMatch(/0\r\n\r\n$/u);
    await eventually(() => expect(errors).toHaveLength(version === 'HTTP/1.0' ? 1 : 0));
    await eventually(() => expect(held.ends).toEqual([500]));
    expect(failures).toEqual([failure]);
    expect(parts.returned).toBe(0);
  });

  it('is returned, once, when the client leaves while the next part is awaited', async () => {
    const { client, parts } = await beginParts(path);
    parts.give('first');
    await eventually(() => expect(client.received()).toContain('first'));
    client.socket.destroy();
    await eventually(() => expect(parts.returned).toBe(1));
    expect(held.ends).toEqual([499]);
    parts.give('too late');
    await nextTurn();
    expect([parts.returned, parts.requested]).toEqual([1, 2]);
  });

  it('is returned when the client has left before it is sent', async () => {
    await start(path);
    const parts = new GivenParts();
    const client = await server.connect();
    client.socket.write(get());
    const exchange = await held.arrival(0);
    client.socket.destroy();
    await eventually(() => expect(held.ends).toEqual([499]));
    exchange.send({ status: 200, body: parts }, []);
    await eventually(() => expect([parts.returned, parts.requested]).toEqual([1, 0]));
  });

  it('yields no further part to a client that does not read, which is disconnected', async () => {
    await start(path, 500);
    let count = 0;
    let isReturned = false;
    const endless = async function* endless(): AsyncGenerator<WholeBody> {
      const part = Buffer.alloc(100_000, 'x');
      try {
        for (;;) {
          await nextTurn();
          count += 1;
          yield part;
        }
      } finally {
        isReturned = true;
      }
    };
    const { socket } = await server.connect();
    socket.pause();
    socket.write(get());
    (await held.arrival(0)).send({ status: 200, body: endless() }, []);
    await eventually(() => expect([...server.accepted][0]?.writableNeedDrain).toBe(true));
    const [waiting] = server.accepted;
    expect(waiting?.writableLength).toBeLessThan(300_000);
    const countBefore = count;
    await delay(50);
    expect(count).toBe(countBefore);
    await eventually(() => expect(held.ends).toEqual([499]));
    await eventually(() => expect(isReturned).toBe(true));
    socket.destroy();
  });

  it('may be silent for longer than a client may stall', async () => {
    await start(path, 500);
    const parts = new GivenParts();
    const client = await server.connect();
    client.socket.write(get());
    (await held.arrival(0)).send({ status: 200, body: parts }, []);
    await delay(2500);
    server.connections.closeIdle();
    parts.give('at last');
    parts.end();
    await eventually(() => expect(client.received()).toMatch(/at last\r\n0\r\n\r\n$/u));
  });

  it('gets through to a client that reads slowly', async () => {
    await start(path);
    const part = Buffer.alloc(1_000_000, 'x');
    const client = requestOf({ port: server.port, host: '127.0.0.1' }).end();
    (await held.arrival(0)).send(
      { status: 200, body: partsOf(...Array.from({ length: 20 }, () => part)) },
      [],
    );
    const [response] = (await once(client, 'response')) as [AsyncIterable<Buffer>];
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      await nextTurn();
    }
    expect(bytes).toBe(20_000_000);
    await eventually(() => expect(held.ends).toEqual([200]));
  });

  it('ends its connection with its last part once a close is announced', async () => {
    const { client, parts } = await beginParts(path);
    parts.give('first');
    await eventually(() => expect(client.received()).toContain('first'));
    server.connections.announceClose();
    server.connections.closeIdle();
    parts.give('last');
    parts.end();
    await eventually(() => {
      server.connections.closeIdle();
      expect(client.socket.readableEnded).toBe(true);
    });
    expect(client.received()).toMatch(/last\r\n0\r\n\r\n$/u);
    expect(held.ends).toEqual([200]);
  });

  it('ends in order while the request is still arriving', async () => {
    await start(path);
    const client = await server.connect();
    client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nabc');
    (await held.arrival(0)).send({ status: 200, body: partsOf('one', 'two') }, []);
    client.socket.write(Buffer.alloc(1_900_000, 'x'));
    expect(await client.ended).toMatch(/\r\n0\r\n\r\n$/u);
    await eventually(() => expect(held.ends).toEqual([200]));
  });
});
