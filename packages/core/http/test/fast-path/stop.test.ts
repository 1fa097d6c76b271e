import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { runService } from '@meridian/http';
import type { ServeExchange } from '@meridian/http';
import { createMetrics } from '@meridian/telemetry';
import { eventually } from '@meridian/testing';

import { FastConnection } from '../../src/fast-path/fast-connection.ts';
import { ResponseHeadWriter } from '../../src/fast-path/response-text.ts';
import { createRequestGate } from '../../src/server/request-gate.ts';
import { renderProblem } from '../fixtures/example-app.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';
import {
  connectTo,
  get,
  holdExchanges,
  paths,
  pathsAndTls,
  post,
  startExchangeServer,
} from './exchange-server.ts';
import type { Client, ExchangeServer, HeldExchanges, Path } from './exchange-server.ts';

/** More than the buffers of both sides of a connection take. */
const largeBody = Buffer.alloc(30_000_000, 'x');

/** A server with a connection in each state. */
interface States {
  readonly server: ExchangeServer;
  readonly held: HeldExchanges;
  /** Has sent nothing. */
  readonly fresh: Client;
  /** Has had a response. */
  readonly idle: Client;
  /** Has sent a part of a request. */
  readonly partial: Client;
  /** Waits for a response. */
  readonly waiting: Client;
  /** Receives a response. */
  readonly receiving: Client;
}

async function startWithStates(path: Path): Promise<States> {
  const held = holdExchanges();
  const server = await startExchangeServer((exchange) => {
    void held.serve(exchange);
    if (exchange.url === '/idle') {
      exchange.send({ status: 200, body: 'idle' }, []);
    } else if (exchange.url === '/large') {
      exchange.send({ status: 200, body: largeBody }, []);
    }
  }, path);
  const idle = await server.connect();
  idle.socket.write(get('/idle'));
  await eventually(() => expect(idle.statuses()).toEqual([200]));
  const receiving = await server.connect();
  receiving.socket.pause();
  receiving.socket.write(get('/large'));
  await held.arrival(1);
  const waiting = await server.connect();
  waiting.socket.write(get('/waiting'));
  await held.arrival(2);
  const partial = await server.connect();
  partial.socket.write('GET /partial HTTP/1.1\r\n');
  await eventually(() => expect([...server.accepted].at(-1)?.bytesRead).toBeGreaterThan(0));
  const fresh = await server.connect();
  return { server, held, fresh, idle, partial, waiting, receiving };
}

describe.each(pathsAndTls)('Connections, %s,', (_name, path) => {
  it('are closed with the next response once the close is announced', async () => {
    const { server, fresh, idle, partial, waiting, receiving, held } = await startWithStates(path);
    server.connections.announceClose();
    fresh.socket.write(get('/idle'));
    idle.socket.write(post('abc', '/idle'));
    partial.socket.write('Host: a\r\n\r\n');
    await eventually(() => expect(held.arrived).toHaveLength(6));
    for (const exchange of held.arrived.filter(({ url }) => url === '/waiting' || url === '/partial')) {
      exchange.send({ status: 200, body: 'last' }, []);
    }
    for (const { ended } of [fresh, idle, partial, waiting]) {
      expect((await ended).split('HTTP/1.1').at(-1)).toMatch(/^connection: close\r$/imu);
    }
    receiving.socket.resume();
    await eventually(() => expect(receiving.receivedBytes()).toBeGreaterThan(largeBody.length));
    await server.close();
  });

  it('are closed by closeIdle when no request is under way', async () => {
    const { server, fresh, idle, partial, waiting, held } = await startWithStates(path);
    await eventually(() => {
      server.connections.closeIdle();
      expect(fresh.socket.readableEnded && idle.socket.readableEnded).toBe(true);
    });
    partial.socket.write('Host: a\r\n\r\n');
    (await held.arrival(3)).send({ status: 200, body: 'p' }, []);
    held.arrived[2]?.send({ status: 200, body: 'w' }, []);
    await eventually(() => {
      expect(partial.received()).toMatch(/p$/u);
      expect(waiting.received()).toMatch(/w$/u);
    });
    await server.close();
  });

  // Node's own `closeIdleConnections` cuts a response once its last bytes are written, sent or not.
  it('are kept by closeIdle until a slow reader has all of its response', async () => {
    const { server, fresh, idle, receiving } = await startWithStates(path);
    await eventually(() => {
      server.connections.closeIdle();
      expect(fresh.socket.readableEnded && idle.socket.readableEnded).toBe(true);
    });
    receiving.socket.resume();
    await eventually(() => expect(receiving.receivedBytes()).toBeGreaterThan(largeBody.length));
    await eventually(() => {
      server.connections.closeIdle();
      expect(receiving.socket.readableEnded).toBe(true);
    });
    await server.close();
  });

  it('keep a new connection for a moment in closeIdle', async () => {
    const held = holdExchanges();
    const server = await startExchangeServer(held.serve, path);
    const client = await server.connect();
    await eventually(() => expect(server.accepted.size).toBe(1));
    server.connections.closeIdle();
    client.socket.write(get());
    (await held.arrival(0)).send({ status: 200, body: 'in time' }, []);
    await eventually(() => expect(client.received()).toMatch(/in time$/u));
    await server.close();
  });

  it('are closed by closeAll in every state', async () => {
    const { server, held, ...clients } = await startWithStates(path);
    server.connections.closeAll();
    // Node's own list has only the connections that have sent something or have been accepted.
    clients.receiving.socket.resume();
    await eventually(() => {
      server.connections.closeAll();
      expect(server.accepted.size).toBe(0);
    });
    await Promise.all(Object.values(clients).map(async ({ ended }) => await ended));
    expect(held.ends).toEqual([200, 499, 499]);
    await server.close();
  });
});

describe.each(pathsAndTls)('A response that a slow reader receives, %s,', (_name, path) => {
  it('is not cut when the server stops accepting', async () => {
    const { server, receiving } = await startWithStates(path);
    await server.stopAccepting();
    receiving.socket.resume();
    await eventually(() => expect(receiving.receivedBytes()).toBeGreaterThan(largeBody.length));
    server.connections.closeAll();
    await server.close();
  });
});

describe.each(paths)('Requests that arrive while a server stops accepting, %s,', (_name, path) => {
  it('are served when it has stopped', async () => {
    const held = holdExchanges();
    const server = await startExchangeServer(held.serve, path);
    const client = await server.connect();
    await eventually(() => expect(server.accepted.size).toBe(1));
    const closed = once(server.server, 'close');
    const stopped = server.stopAccepting();
    client.socket.write(get());
    await stopped;
    (await held.arrival(0)).send({ status: 200, headers: { Connection: 'close' }, body: 'served' }, []);
    expect(await client.ended).toMatch(/served$/u);
    await closed;
  });

  it('end with 499 when their client leaves meanwhile', async () => {
    const held = holdExchanges();
    const server = await startExchangeServer(held.serve, path);
    const client = await server.connect();
    client.socket.write(get('/warm'));
    (await held.arrival(0)).send({ status: 200 }, []);
    await eventually(() => expect(held.ends).toEqual([200]));
    const closed = once(server.server, 'close');
    const stopped = server.stopAccepting();
    client.socket.write(get());
    const [accepted] = server.accepted;
    await eventually(() => expect(accepted?.bytesRead).toBe(get('/warm').length + get().length));
    client.socket.resetAndDestroy();
    await stopped;
    await closed;
    await eventually(() => expect(held.ends).toHaveLength(held.arrived.length));
    expect(held.ends.filter((status) => status !== 499)).toEqual([200]);
  });
});

describe('runService with exchanges', () => {
  it('loses no request on stop under load', async () => {
    const serve: ServeExchange = (exchange) =>
      void nextTurn().then(() => exchange.send({ status: 200, body: 'done' }, []));
    const service = await runService({
      name: 'example',
      logger: memoryLogger().logger,
      metrics: createMetrics({ service: 'example' }),
      listen: { host: '127.0.0.1', port: 0 },
      admin: { host: '127.0.0.1', port: 0 },
      renderProblem,
      open: () => ({ serve, isReady: () => Promise.resolve(), close: () => Promise.resolve() }),
      shutdownGraceMs: 2000,
    });
    const { port } = service.address;
    const outcomes = { answered: 0, refused: 0, lost: 0 };
    /** Sends requests on kept connections, and opens another when the server closes one, until it is refused. */
    const load = async (body: string): Promise<void> => {
      for (;;) {
        let client: Client;
        try {
          client = await connectTo(port);
        } catch {
          outcomes.refused += 1;
          return;
        }
        for (let count = 1; ; count += 1) {
          // Some arrive in two pieces.
          const request = post(body);
          client.socket.write(request.slice(0, -2));
          await nextTurn();
          client.socket.write(request.slice(-2));
          while (client.statuses().length < count && !client.socket.readableEnded) {
            await nextTurn();
          }
          outcomes[client.statuses().length === count ? 'answered' : 'lost'] += 1;
          if (/^Connection: close\r$/mu.test(client.received()) || client.socket.readableEnded) {
            break;
          }
        }
        await client.ended;
      }
    };
    const loads = Array.from({ length: 8 }, (_, index) => load('x'.repeat(10 + index)));
    await eventually(() => expect(outcomes.answered).toBeGreaterThan(200));
    await service.stop();
    await Promise.all(loads);
    expect(outcomes).toMatchObject({ refused: 8, lost: 0 });
  });
});

describe('FastConnection.checkTimes', () => {
  const always = -1;
  const never = { maxIdleMs: 1e9, maxFirstByteMs: 1e9 };

  it('ends a connection without a request after the longest silence', async () => {
    const { connection, client, close } = await startConnection(() => {});
    connection.checkTimes({ ...never, maxIdleMs: always });
    connection.checkTimes({ ...never, maxFirstByteMs: always });
    expect(await client.ended).toBe('');
    await close();
  });

  it('ends an idle connection after the longest idle time', async () => {
    const { connection, client, close } = await startConnection((exchange) =>
      exchange.send({ status: 200 }, []),
    );
    client.socket.write(get());
    await eventually(() => expect(client.statuses()).toEqual([200]));
    connection.checkTimes({ ...never, maxFirstByteMs: always });
    client.socket.write(get());
    await eventually(() => expect(client.statuses()).toEqual([200, 200]));
    connection.checkTimes({ ...never, maxIdleMs: always });
    await client.ended;
    await close();
  });

  it('keeps a connection while its request is served', async () => {
    const held = holdExchanges();
    const { connection, client, close } = await startConnection(held.serve);
    client.socket.write(get());
    const exchange = await held.arrival(0);
    const atOnce = { maxIdleMs: always, maxFirstByteMs: always };
    connection.checkTimes(atOnce);
    connection.checkTimes(atOnce);
    exchange.send({ status: 200, body: 'at last' }, []);
    await eventually(() => expect(client.received()).toMatch(/at last$/u));
    await close();
  });
});

/** One connection of the fast path, to a server that handles nothing else. */
async function startConnection(
  serve: ServeExchange,
): Promise<{ connection: FastConnection; client: Client; close: () => Promise<void> }> {
  const connected = Promise.withResolvers<FastConnection>();
  const server = createServer((socket) => {
    const options = {
      serve,
      gate: createRequestGate(),
      passOn: (passed: Socket) => passed.destroy(),
      onLeave: () => {},
      heads: new ResponseHeadWriter(),
      limits: { maxFields: 200, maxHeadBytes: 65_536 },
      isClosing: () => false,
    };
    connected.resolve(new FastConnection(socket, options));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = await connectTo((server.address() as AddressInfo).port);
  return {
    connection: await connected.promise,
    client,
    async close() {
      const closed = once(server, 'close');
      server.close();
      client.socket.destroy();
      await closed;
    },
  };
}
