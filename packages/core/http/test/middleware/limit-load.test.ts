import { EventEmitter, once } from 'node:events';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenVerifier } from '@meridian/auth';
import {
  authenticate,
  handleProblems,
  limitLoad,
  observeRequests,
  readBody,
  requestDeadline,
  sendResponse,
  signalOf,
} from '@meridian/http';
import { createExpressApp, resource } from '@meridian/http/express';
import { createMetrics } from '@meridian/telemetry';
import { eventually } from '@meridian/testing';
import type { RequestHandler } from 'express';

import { renderProblem } from '../fixtures/example-app.ts';
import { parseResponse, received, startExampleServer } from '../fixtures/example-server.ts';
import type { ExampleServer } from '../fixtures/example-server.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';

/** Takes the name of a tenant for its token. */
const verifier: TokenVerifier = {
  verify: (tenantId) =>
    Promise.resolve({
      tenantId,
      subject: 'alice',
      issuer: 'https://issuer.example',
      scopes: new Set<string>(),
      expiresAt: 4_102_444_800,
    }),
  find: () => undefined,
  close: () => {},
};

describe('limitLoad', () => {
  const door = new EventEmitter().setMaxListeners(0);
  const { logger, lines } = memoryLogger();
  let server: ExampleServer;
  const waiting = new Set<object>();
  const waitAtTheDoor: RequestHandler = async (request, response) => {
    waiting.add(request);
    door.emit('arrival');
    await once(door, 'open');
    waiting.delete(request);
    sendResponse(request, response, { status: 200 });
  };
  beforeAll(async () => {
    const metrics = createMetrics({ service: 'example' });
    const app = createExpressApp();
    app.use(observeRequests({ logger, metrics }), authenticate(verifier));
    app.use(limitLoad({ maxInFlight: 4, maxTenantInFlight: 3 }));
    resource(app, '/', { GET: [waitAtTheDoor] });
    app.use(handleProblems({ renderProblem, metrics }));
    server = await startExampleServer(app);
  });
  afterAll(() => server.close());

  const ask = (tenant: string) =>
    server.exchange(
      `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenant}\r\nConnection: close\r\n\r\n`,
    );
  const statusesOf = async (responses: readonly Promise<string>[]) =>
    (await Promise.all(responses)).map((response) => parseResponse(response).status);
  /** Sends requests that wait at the door. */
  const enter = async (...tenants: readonly string[]) => {
    const wanted = waiting.size + tenants.length;
    const responses = tenants.map(ask);
    while (waiting.size < wanted) {
      await once(door, 'arrival');
    }
    return responses;
  };

  it('answers 503 unavailable with Retry-After to a tenant at its share, and to no other', async () => {
    const entered = await enter('acme', 'acme', 'acme');
    const { status, headers, body } = parseResponse(await ask('acme'));
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
    expect(JSON.parse(body)).toMatchObject({ type: 'https://api.example/problems/unavailable' });

    entered.push(...(await enter('globex')));
    door.emit('open');
    expect(await statusesOf(entered)).toEqual([200, 200, 200, 200]);
  });

  it('admits a tenant with less than its equal share to a full process', async () => {
    const entered = await enter('acme', 'acme', 'acme', 'globex');
    expect(await statusesOf([ask('acme')])).toEqual([503]);
    entered.push(...(await enter('globex', 'initech')));
    expect(await statusesOf([ask('globex'), ask('acme')])).toEqual([503, 503]);
    door.emit('open');
    expect(await statusesOf(entered)).toEqual(entered.map(() => 200));
  });

  it('stops counting requests that have ended, also after a client hung up', async () => {
    const sockets = await Promise.all([server.connect(), server.connect(), server.connect()]);
    const arrived = once(door, 'arrival');
    for (const socket of sockets) {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer acme\r\n\r\n');
    }
    await arrived;
    while (waiting.size < 3) {
      await once(door, 'arrival');
    }
    const logged = lines().length;
    sockets.forEach((socket) => socket.destroy());
    while (lines().length < logged + 3) {
      await new Promise(setImmediate);
    }
    door.emit('open');
    while (waiting.size > 0) {
      await new Promise(setImmediate);
    }
    const entered = await enter('acme', 'acme', 'acme');
    door.emit('open');
    expect(await statusesOf(entered)).toEqual([200, 200, 200]);
  });

  it("logs no error, because the request's log line has its status", () => {
    expect(lines().filter(({ level }) => level === 'error')).toEqual([]);
    expect(lines()).toContainEqual(expect.objectContaining({ msg: 'request', status: 503 }));
  });
});

describe('limitLoad, of bodies', () => {
  it('answers 503 unavailable to a body beyond the bytes under way, until others have gone, and not to another tenant', async () => {
    const { logger } = memoryLogger();
    const metrics = createMetrics({ service: 'example' });
    const app = createExpressApp();
    app.use(observeRequests({ logger, metrics }), requestDeadline(10_000), authenticate(verifier));
    app.use(limitLoad({ maxInFlight: 10, maxTenantInFlight: 10, maxBodyBytes: 150_000 }));
    const readIt: RequestHandler = async (request, response) => {
      await readBody(request, { maxBytes: 1_000_000, signal: signalOf(request) });
      sendResponse(request, response, { status: 200 });
    };
    resource(app, '/', { POST: [readIt] });
    app.use(handleProblems({ renderProblem, metrics }));
    const server = await startExampleServer(app);
    const headOf = (tenant: string) =>
      `POST / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenant}\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n`;
    const slow = await server.connect();
    slow.write(headOf('acme') + 'x'.repeat(99_999));
    const statusOf = async (tenant: string) =>
      parseResponse(await server.exchange(headOf(tenant) + 'x'.repeat(100_000))).status;
    await eventually(async () => expect(await statusOf('acme')).toBe(503));
    expect(await statusOf('globex')).toBe(200);
    slow.destroy();
    await eventually(async () => expect(await statusOf('acme')).toBe(200));
    await server.close();
  });
});

describe('A connection with 32 waiting requests', () => {
  it('gets 503 unavailable for the next one, and is closed', async () => {
    const server = await startExampleServer();
    const socket = await server.connect();
    const responses = received(socket);
    socket.write('GET /patient HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100));
    const text = await responses;
    const statuses = text.match(/HTTP\/1\.1 \d+/gu);
    expect(statuses).toEqual([...Array.from({ length: 32 }, () => 'HTTP/1.1 200'), 'HTTP/1.1 503']);
    expect(text).toContain('Retry-After: 1');
    expect(text).toContain('/problems/unavailable');
    await server.close();
  });
});
