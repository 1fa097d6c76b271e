import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';

import { StopController } from '@meridian/cancellation';
import type { ServeExchange } from '@meridian/http';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createSelfSignedCertificate,
  eventually,
  field,
  frame,
  getHead,
  headFrames,
  preface,
} from '@meridian/testing';
import { http2Kinds } from '@meridian/testing/held-memory';

import { certificate, holdExchanges, startExchangeServer } from '../fast-path/exchange-server.ts';
import type { ExchangeServer } from '../fast-path/exchange-server.ts';

let server: ExchangeServer;
let session: ClientHttp2Session;

afterEach(async () => {
  session.destroy();
  await server.close();
});

async function start(
  serve: ServeExchange,
  limits: Parameters<typeof startExchangeServer>[2] = {},
): Promise<void> {
  server = await startExchangeServer(serve, 'tls', limits);
  session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: certificate.cert });
  session.on('error', () => {});
  await once(session, 'connect');
}

function request(headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
  return session.request(headers).on('error', () => {});
}

interface Response {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

async function responseOf(stream: ClientHttp2Stream): Promise<Response> {
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
  }
  return { status: Number(headers[':status']), headers, body: Buffer.concat(chunks).toString() };
}

const echo: ServeExchange = async (exchange) => {
  const body = await exchange.readBody({ maxBytes: 100_000, signal: new StopController() });
  exchange.send(
    { status: 200, body: JSON.stringify([exchange.method, exchange.url, exchange.headers, String(body)]) },
    ['X-Of', 'one', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
  );
};

describe('A request over HTTP/2', () => {
  it('is an exchange as in HTTP/1.1, with its host and without pseudo-header fields', async () => {
    await start(echo);
    const stream = request({ ':method': 'POST', ':path': '/a?b', 'content-type': 'text/plain', cookie: 'c' });
    stream.end('hello');
    const { status, headers, body } = await responseOf(stream);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual([
      'POST',
      '/a?b',
      { host: `127.0.0.1:${server.port}`, 'content-type': 'text/plain', cookie: 'c' },
      'hello',
    ]);
    expect(headers).toMatchObject({ 'x-of': 'one', 'set-cookie': ['a=1', 'b=2'] });
    expect(headers['content-length']).toBe(String(body.length));
  });

  it('gets a body in parts as they come, and HEAD gets none', async () => {
    await start((exchange) => exchange.send({ status: 200, body: parts() }, []));
    expect((await responseOf(request())).body).toBe('one two');
    expect((await responseOf(request({ ':method': 'HEAD' }))).body).toBe('');
  });

  it('gets a body of megabytes whole', async () => {
    await start((exchange) => exchange.send({ status: 200, body: 'x'.repeat(5_000_000) }, []));
    expect((await responseOf(request())).body).toHaveLength(5_000_000);
  });

  it('ends once although its own end comes in a frame after its head', async () => {
    const held = holdExchanges();
    await start(held.serve);
    const socket = await openRaw();
    socket.resume();
    for (let index = 0; index < 20; index += 1) {
      const id = 2 * index + 1;
      socket.write(frame(1, 4, id, getHead) + frame(0, 1, id), 'latin1');
      (await held.arrival(index)).send({ status: 200, body: 'here' }, []);
    }
    await eventually(() => expect(held.ends).toHaveLength(20));
    expect(held.ends).toEqual(Array(20).fill(200));
    socket.destroy();
  });

  it('has a body, hundreds of times a second on one connection, and ends with its status', async () => {
    const ends: number[] = [];
    await start((exchange) => {
      exchange.onEnd((status) => ends.push(status));
      return echo(exchange);
    });
    for (let count = 0; count < 500; count += 1) {
      const stream = request({ ':method': 'POST' });
      stream.end('hello');
      expect((await responseOf(stream)).status).toBe(200);
    }
    await eventually(() => expect(ends).toHaveLength(500));
    expect(new Set(ends)).toEqual(new Set([200]));
  });

  it('ends with 499 when the client resets it, and with 500 when its body fails', async () => {
    const held = holdExchanges();
    await start(held.serve);
    const left = request();
    (await held.arrival(0)).send({ status: 200, body: endless() }, []);
    await once(left, 'response');
    left.close(constants.NGHTTP2_CANCEL);
    await eventually(() => expect(held.ends).toEqual([499]));
    request();
    (await held.arrival(1)).send({ status: 200, body: failing() }, []);
    await eventually(() => expect(held.ends).toEqual([499, 500]));
  });
});

describe('A malformed request over HTTP/2', () => {
  it('gets 400 where Host is another than :authority', async () => {
    await start(echo);
    const { status, body } = await responseOf(request({ ':authority': 'a.example', host: 'b.example' }));
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ status: 400 });
  });

  it.each<[string, OutgoingHttpHeaders]>([
    ['a path with a space', { ':path': '/a b' }],
    ['a host that is none', { ':authority': 'a b' }],
  ])('ends its stream and not its connection: %s', async (_name, headers) => {
    await start(echo);
    await expect(responseOf(request(headers))).rejects.toThrow('PROTOCOL_ERROR');
    expect((await responseOf(request())).status).toBe(200);
  });

  it('gets 431 for too many fields, and for too many bytes of them', async () => {
    await start(echo, { headLimits: { maxFields: 20, maxHeadBytes: 4000 } });
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`x-${index}`, 'a']));
    expect((await responseOf(request(many))).status).toBe(431);
    expect((await responseOf(request({ x: 'x'.repeat(4000) }))).status).toBe(431);
    expect((await responseOf(request())).status).toBe(200);
  });

  it('gets 503 when the heads of a connection take too much together', async () => {
    const held = holdExchanges();
    await start(held.serve);
    const large = { x: 'x'.repeat(60_000) };
    const streams = Array.from({ length: 5 }, () => request(large));
    expect((await responseOf(streams[4] ?? request())).status).toBe(503);
    expect(held.arrived).toHaveLength(4);
  });
});

describe('A hostile client over HTTP/2', () => {
  it('is disconnected when it resets hundreds of requests, and few of them are served', async () => {
    const held = holdExchanges();
    await start(held.serve);
    const socket = await openRaw();
    const cancel = '\0\0\0\x08';
    socket.resume();
    for (let id = 1; id < 10_000 && !socket.destroyed; id += 200) {
      const ids = Array.from({ length: 100 }, (_, index) => id + 2 * index);
      socket.write(
        ids.map((stream) => frame(1, 5, stream, getHead) + frame(3, 0, stream, cancel)).join(''),
        'latin1',
      );
    }
    await once(socket, 'close');
    expect(held.arrived.length).toBeGreaterThan(10);
    expect(held.arrived.length).toBeLessThan(400);
    await eventually(() => expect(held.ends).toHaveLength(held.arrived.length));
    expect(new Set(held.ends)).toEqual(new Set([499]));
  });

  it.each(http2Kinds.filter(({ state }) => state === 'closed'))(
    'is disconnected: $name',
    async ({ steps: [flood] }) => {
      await start(holdExchanges().serve);
      const socket = await openTls();
      socket.resume().write(flood?.bytes ?? '', 'latin1');
      await once(socket, 'close');
      expect(socket.destroyed).toBe(true);
    },
  );

  it('gets no memory for a head that becomes 200 MB (HPACK bomb), which is never served', async () => {
    const held = holdExchanges();
    await start(held.serve);
    const socket = await openRaw();
    socket.resume().write(headFrames(1, getHead + field('a', 'x'.repeat(4000), true)), 'latin1');
    (await held.arrival(0)).send({ status: 200 }, []);
    // Each byte is the field in the table.
    socket.write(headFrames(3, getHead + '\xbe'.repeat(50_000)) + headFrames(5, getHead), 'latin1');
    const { url, headers } = await held.arrival(1);
    expect([url, headers]).toEqual(['/nope', { host: 'a' }]);
    socket.destroy();
  });

  it('is disconnected for a head without an end (CONTINUATION flood), which is never served', async () => {
    const held = holdExchanges();
    await start(held.serve);
    const socket = await openRaw();
    // `:method: GET`, then fields that are not indexed, without END_HEADERS.
    const fields = field('x', 'a'.repeat(256)).repeat(30);
    socket.resume().write(frame(1, 1, 1, '\x82'), 'latin1');
    for (let count = 0; count < 100 && !socket.destroyed; count += 1) {
      socket.write(frame(9, 0, 1, fields), 'latin1');
    }
    await once(socket, 'close');
    expect(held.arrived).toHaveLength(0);
  });

  it('has its stream ended when it takes nothing of its response', async () => {
    const held = holdExchanges();
    await start(held.serve, { maxStallMs: 1000 });
    const stream = request();
    stream.pause();
    (await held.arrival(0)).send({ status: 200, body: 'x'.repeat(1_000_000) }, []);
    await eventually(() => expect(held.ends).toEqual([499]));
    expect((await nextResponse(held)).body).toBe('still served');
  });

  it.each([
    ['for long', { maxStallMs: 500 }],
    ['while too much waits for clients', { maxStallMs: 1e9, maxWaitingBytes: 10_000_000 }],
  ])('is disconnected when it takes no byte from its socket %s', async (_when, limits) => {
    const held = holdExchanges();
    await start(held.serve, limits);
    const socket = await openRaw();
    socket.pause();
    // The greatest windows, RFC 9113 §6.9: nothing but the socket holds the response back.
    const windows = frame(4, 0, 0, '\0\x04\x7f\xff\xff\xff') + frame(8, 0, 0, '\x7f\xff\0\0');
    socket.write(windows + frame(1, 5, 1, getHead), 'latin1');
    (await held.arrival(0)).send({ status: 200, body: Buffer.alloc(30_000_000, 'x') }, []);
    await eventually(() => expect(held.ends).toEqual([499]));
    await eventually(() => expect(server.accepted.size).toBe(1));
    expect((await nextResponse(held)).body).toBe('still served');
    socket.destroy();
  });

  it('has its stream ended when too much of a whole body waits for it', async () => {
    const held = holdExchanges();
    await start(held.serve, { maxStallMs: 1e9, maxWaitingBytes: 10_000_000 });
    const stream = request();
    stream.pause();
    (await held.arrival(0)).send({ status: 200, body: Buffer.alloc(30_000_000, 'x') }, []);
    await eventually(() => expect(held.ends).toEqual([499]));
    expect((await nextResponse(held)).body).toBe('still served');
  });

  it('is disconnected when it responds to no ping while it waits, and one that responds stays', async () => {
    const held = holdExchanges();
    await start(held.serve);
    const pinged = once(session, 'ping');
    const stays = request();
    await held.arrival(0);
    const gone = await openRaw();
    const isClosed = once(gone.resume(), 'close');
    gone.write(frame(1, 5, 1, getHead), 'latin1');
    await held.arrival(1);

    const realNow = performance.now.bind(performance);
    let laterMs = 16_000;
    Object.defineProperty(performance, 'now', { configurable: true, value: () => realNow() + laterMs });
    try {
      await pinged;
      // Its response has arrived with the next one.
      await new Promise((resolve) => void session.ping(resolve));
      laterMs += 16_000;
      await isClosed;
      await eventually(() => expect(held.ends).toEqual([499]));
      held.arrived[0]?.send({ status: 200, body: 'still served' }, []);
      expect((await responseOf(stays)).body).toBe('still served');
    } finally {
      Reflect.deleteProperty(performance, 'now');
    }
  });

  it('that never sends a request is disconnected', async () => {
    await start(echo, { headLimits: { maxHeadMs: 500 } });
    await once(session, 'close');
    expect(session.destroyed).toBe(true);
  });

  it('that never finishes its handshake is disconnected', async () => {
    await start(echo, { tls: { certificate: certificate.cert, key: certificate.key, maxHandshakeMs: 300 } });

    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {}).write(Buffer.from([22, 3, 1]));
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });
});

describe('A server over TLS', () => {
  it('lets requests over HTTP/2 finish when it stops, and takes no further ones', async () => {
    const held = holdExchanges();
    await start(held.serve);
    const stream = request();
    const exchange = await held.arrival(0);
    const goaway = once(session, 'goaway');
    server.connections.announceClose();
    await goaway;
    exchange.send({ status: 200, body: 'last' }, []);
    expect((await responseOf(stream)).body).toBe('last');
    await once(session, 'close');
  });

  it('shows new connections a replaced certificate, and keeps it when a later one is not usable', async () => {
    await start(echo);
    const other = createSelfSignedCertificate();
    server.replaceCertificate({ certificate: other.cert, key: other.key });
    expect(() => server.replaceCertificate({ certificate: other.cert, key: certificate.key })).toThrow(
      'key values mismatch',
    );
    const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: other.cert });
    await once(socket, 'secureConnect');
    socket.destroy();
    // The one from before is still served.
    expect((await responseOf(request())).status).toBe(200);
  });
});

async function nextResponse(held: ReturnType<typeof holdExchanges>): Promise<Response> {
  const stream = request();
  (await held.arrival(1)).send({ status: 200, body: 'still served' }, []);
  return await responseOf(stream);
}

/** A connection after the preface of a client and its settings. */
async function openRaw(): Promise<Socket> {
  const socket = await openTls();
  socket.write(preface, 'latin1');
  return socket;
}

async function openTls(): Promise<Socket> {
  const socket: TLSSocket = connectTls({
    port: server.port,
    host: '127.0.0.1',
    ca: certificate.cert,
    ALPNProtocols: ['h2'],
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

// oxlint-disable-next-line typescript/require-await -- the parts are there
async function* parts(): AsyncGenerator<string> {
  yield 'one ';
  yield 'two';
}

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield 'x';
    await new Promise((resolve) => setImmediate(resolve));
  }
}

// oxlint-disable-next-line typescript/require-await -- the failure is there
async function* failing(): AsyncGenerator<string> {
  yield 'a part';
  throw new Error('the rest is lost');
}
