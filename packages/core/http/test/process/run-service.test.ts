import { fork } from 'node:child_process';
import { once } from 'node:events';
import { link, lstat, mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { ListenError, listen, runService, sendResponse } from '@meridian/http';
import type { ListenAddress, OpenService, RunningService, ServiceOptions } from '@meridian/http';
import { createMetrics } from '@meridian/telemetry';

import { renderProblem } from '../fixtures/example-app.ts';
import { parseResponse, received } from '../fixtures/example-server.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';

describe('runService', () => {
  it('serves requests on one port and probes on another', async () => {
    const service = await start();
    expect(await (await fetch(urlOf(service.address))).text()).toBe('hello');
    expect((await fetch(`${urlOf(service.adminAddress)}/readyz`)).status).toBe(200);
    expect((await fetch(`${urlOf(service.address)}/readyz`)).headers.get('content-type')).toBeNull();
    await service.stop();
  });

  it('is not ready while the service is not', async () => {
    const service = await start({ isReady: () => Promise.reject(new Error('no store')) });
    expect((await fetch(`${urlOf(service.adminAddress)}/readyz`)).status).toBe(503);
    expect((await fetch(`${urlOf(service.adminAddress)}/livez`)).status).toBe(200);
    await service.stop();
  });

  it('answers probes before it is open: alive, not ready, and without paths of its own', async () => {
    const admin = await freeAddress();
    const requested = Promise.withResolvers<void>();
    const opening = Promise.withResolvers<OpenService>();
    const open = async (): Promise<OpenService> => {
      requested.resolve();
      return await opening.promise;
    };
    const running = start({ admin, open });
    await requested.promise;
    expect((await fetch(`${urlOf(admin)}/livez`)).status).toBe(200);
    for (const path of ['/readyz', '/health']) {
      const response = await fetch(`${urlOf(admin)}${path}`);
      expect([response.status, await response.json()]).toEqual([
        503,
        expect.objectContaining({ detail: 'The service is starting.' }),
      ]);
    }
    opening.resolve({
      handler: (_request, response) => response.end('hello'),
      isReady: () => Promise.resolve(),
      adminRoutes: { '/health': () => ({ status: 200, body: 'up' }) },
      close: () => Promise.resolve(),
    });
    const service = await running;
    expect((await fetch(`${urlOf(admin)}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${urlOf(admin)}/health`)).text()).toBe('up');
    await service.stop();
  });

  it('leaves nothing running when the service cannot open', async () => {
    const admin = await freeAddress();
    await expect(start({ admin, open: () => Promise.reject(new Error('no supergraph')) })).rejects.toThrow(
      'no supergraph',
    );
    await expect(fetch(urlOf(admin))).rejects.toThrow('fetch failed');
  });

  it('rejects with one clear line when a port is in use, and leaves nothing running', async () => {
    const first = await start();
    let closed = 0;
    const second = start({ listen: first.address, close: async () => void (closed += 1) });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${first.address.port}: the port is in use by another process`,
    );
    expect(closed).toBe(1);
    await first.stop();
  });

  it('replaces the socket file of a process that ended, and no other file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'meridian-listen-'));
    const path = join(directory, 'a.sock');
    const at = (host: string): ListenAddress => ({ host, port: 0 });
    await leaveSocketFile(path);
    expect((await lstat(path)).isSocket()).toBe(true);
    const service = await start({ listen: at(path) });
    expect(service.address).toEqual(at(path));
    await expect(start({ listen: at(path) })).rejects.toThrow(`Cannot listen on ${path}: another process`);
    await service.stop();
    await writeFile(path, 'kept');
    await expect(start({ listen: at(path) })).rejects.toThrow('the file is not a socket');
    expect(await readFile(path, 'utf8')).toBe('kept');
    await expect(start({ listen: at(join(directory, 'no/a.sock')) })).rejects.toThrow(
      'directory does not exist',
    );
    await rm(directory, { recursive: true });
  });

  it('replaces a lock that is left over, whatever its time, and rejects with the name of one that it cannot', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'meridian-listen-'));
    for (const time of [1, Date.now() / 1000 + 3600]) {
      const path = join(directory, `${Math.round(time)}.sock`);
      await leaveSocketFile(path);
      await writeFile(`${path}.lock`, '');
      await utimes(`${path}.lock`, time, time);
      await (await start({ listen: { host: path, port: 0 } })).stop();
    }
    const path = join(directory, 'a.sock');
    await leaveSocketFile(path);
    await mkdir(`${path}.lock`);
    await utimes(`${path}.lock`, 1, 1);
    const second = start({ listen: { host: path, port: 0 } });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(
      `Cannot listen on ${path}: its lock ${path}.lock is held; if no other process starts there, remove it`,
    );
    await rm(directory, { recursive: true });
  });

  it('listens once where several processes start over the same file, and a lock was left behind', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'meridian-listen-'));
    const program = new URL('../fixtures/listening-process.ts', import.meta.url);
    const starters = Array.from({ length: 3 }, () => fork(program));
    try {
      await Promise.all(starters.map((starter) => once(starter, 'message')));
      const listening: number[] = [];
      for (let round = 0; round < 12; round += 1) {
        const path = join(directory, `${round}.sock`);
        await leaveSocketFile(path);
        if (round === 0) {
          await writeFile(`${path}.lock`, '');
          await utimes(`${path}.lock`, 1, 1);
        }
        const results = starters.map(
          async (starter): Promise<unknown> => (await once(starter, 'message'))[0],
        );
        for (const starter of starters) {
          starter.send(path);
        }
        listening.push((await Promise.all(results)).filter((isListening) => isListening === true).length);
        const socket = connect(path);
        await once(socket, 'connect');
        socket.destroy();
      }
      expect(listening).toEqual(listening.map(() => 1));
      expect((await readdir(directory)).filter((name) => name.endsWith('.lock'))).toEqual([]);
    } finally {
      for (const starter of starters) {
        starter.kill();
      }
    }
    await rm(directory, { recursive: true });
  });

  it('accepts a listener that does not know the package, and another format for early refusals', async () => {
    const service = await start({
      renderProblem: ({ status, kind }) => ({
        status,
        body: JSON.stringify({ errors: [{ extensions: { code: kind } }] }),
      }),
    });
    const socket = await open(service);
    socket.write('nonsense\r\n\r\n');
    const { status, body } = parseResponse(await received(socket));
    expect({ status, body }).toEqual({
      status: 400,
      body: '{"errors":[{"extensions":{"code":"malformed-request"}}]}',
    });
    await service.stop();
  });
});

describe('RunningService.stop', () => {
  it('lets a request under way finish, with Connection: close', async () => {
    const { handler, release, arrived } = heldRequest();
    const service = await start({ handler });
    const httpResponse = fetch(urlOf(service.address));
    await arrived;
    const stopped = service.stop();
    release();
    const response = await httpResponse;
    expect(await response.text()).toBe('finished');
    expect(response.headers.get('connection')).toBe('close');
    await stopped;
  });

  it('makes the service not ready while new requests are still answered, then refuses connections', async () => {
    const service = await start();
    const stopped = service.stop();
    expect((await fetch(`${urlOf(service.adminAddress)}/readyz`)).status).toBe(503);
    const late = await fetch(urlOf(service.address));
    expect({ status: late.status, connection: late.headers.get('connection') }).toEqual({
      status: 200,
      connection: 'close',
    });
    await stopped;
    await expect(fetch(urlOf(service.address))).rejects.toThrow('fetch failed');
  });

  it('does not wait for idle connections', async () => {
    const service = await start({ shutdownGraceMs: 100_000 });
    const fresh = await open(service);
    const kept = await open(service);
    kept.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(kept, 'data');
    const ended = Promise.all([received(fresh), received(kept)]);
    const startedMs = performance.now();
    await service.stop();
    // Less than the grace by far, on any machine.
    expect(performance.now() - startedMs).toBeLessThan(50_000);
    await ended;
  });

  it("closes the handler's resources only after the last response", async () => {
    const order: string[] = [];
    const { handler, release, arrived } = heldRequest();
    const service = await start({ handler, close: async () => void order.push('closed') });
    const response = fetch(urlOf(service.address)).then(() => order.push('answered'));
    await arrived;
    const stopped = service.stop();
    release();
    await Promise.all([response, stopped]);
    expect(order).toEqual(['answered', 'closed']);
  });

  it('cuts off requests that outlast the grace period', async () => {
    const { handler, arrived } = heldRequest();
    const service = await start({ handler, close: () => new Promise(() => {}) });
    const socket = await open(service);
    const response = received(socket);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await arrived;
    // Neither the request nor `close` would ever end.
    await service.stop();
    expect(await response).toBe('');
  });

  it('tells bodies in parts to end once it accepts no further connection, and waits for their end', async () => {
    let isTold = false;
    const service = await start({
      open: (stopping) => ({
        handler: (request, response) =>
          sendResponse(request, response, {
            status: 200,
            body: (async function* untilStopped() {
              yield 'open';
              await new Promise<void>((resolve) => stopping.addEventListener('abort', resolve));
              isTold = true;
              yield ' to the end';
            })(),
          }),
        isReady: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }),
      shutdownGraceMs: 100_000,
    });
    const response = await fetch(urlOf(service.address));
    const stopped = service.stop();
    expect((await fetch(`${urlOf(service.adminAddress)}/readyz`)).status).toBe(503);
    expect(isTold).toBe(false);
    expect(await response.text()).toBe('open to the end');
    await expect(fetch(urlOf(service.address))).rejects.toThrow('fetch failed');
    await stopped;
  });

  it('stops once, however often it is called', async () => {
    let closed = 0;
    const service = await start({ close: async () => void (closed += 1) });
    await Promise.all([service.stop(), service.stop()]);
    await service.stop();
    expect(closed).toBe(1);
  });
});

async function start({
  handler = (_request, response) => response.end('hello'),
  isReady = () => Promise.resolve(),
  close = () => Promise.resolve(),
  ...options
}: Partial<
  ServiceOptions & Extract<OpenService, { handler: RequestListener }>
> = {}): Promise<RunningService> {
  return await runService({
    name: 'example',
    logger: memoryLogger().logger,
    metrics: createMetrics({ service: 'example' }),
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    renderProblem,
    open: () => ({ handler, isReady, close }),
    shutdownGraceMs: 800,
    ...options,
  });
}

/** A handler whose answer waits until the test lets it go. */
/** Leaves the file of a socket on which no process listens. */
async function leaveSocketFile(path: string): Promise<void> {
  const server = createServer();
  await listen(server, { host: `${path}.first`, port: 0 });
  await link(`${path}.first`, path);
  server.close();
  await once(server, 'close');
}

function heldRequest(): { handler: RequestListener; release: () => void; arrived: Promise<void> } {
  const arrival = Promise.withResolvers<void>();
  const permission = Promise.withResolvers<void>();
  return {
    handler: (_request, response) => {
      arrival.resolve();
      void permission.promise.then(() => response.end('finished'));
    },
    release: permission.resolve,
    arrived: arrival.promise,
  };
}

async function open({ address }: RunningService): Promise<Socket> {
  const socket = connect(address.port, address.host);
  await once(socket, 'connect');
  return socket;
}

/** An address on which nothing listens. */
async function freeAddress(): Promise<ListenAddress> {
  const server = createServer();
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  server.close();
  await once(server, 'close');
  return address;
}

function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host}:${port}`;
}
