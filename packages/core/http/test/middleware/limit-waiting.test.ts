import { afterEach, describe, expect, it } from '@jest/globals';
import type { TokenVerifier } from '@meridian/auth';
import {
  authenticate,
  handleProblems,
  limitLoad,
  limitWaiting,
  requestDeadline,
  sendResponse,
  signalOf,
} from '@meridian/http';
import { createExpressApp, resource } from '@meridian/http/express';
import { createMetrics } from '@meridian/telemetry';
import { eventually } from '@meridian/testing';

import { renderProblem } from '../fixtures/example-app.ts';
import { parseResponse, startExampleServer } from '../fixtures/example-server.ts';
import type { ExampleServer } from '../fixtures/example-server.ts';

/** The time that a token takes until it is verified; then the handlers run. */
let verified = Promise.resolve();
let verifying = 0;
const verifier: TokenVerifier = {
  async verify(tenantId) {
    verifying += 1;
    await verified;
    return {
      tenantId,
      subject: 'alice',
      issuer: 'https://issuer.example',
      scopes: new Set<string>(),
      expiresAt: 4_102_444_800,
    };
  },
  find: () => undefined,
  close: () => {},
};

let server: ExampleServer;
afterEach(() => server.close());

async function start() {
  const metrics = createMetrics({ service: 'example' });
  const waiting = limitWaiting({ maxWaiting: 3, maxTenantWaiting: 2 });
  const signals: ReturnType<typeof signalOf>[] = [];
  const app = createExpressApp();
  let left = 0;
  app.use((_request, response, next) => {
    response.once('close', () => (left += 1));
    next();
  });
  app.use(requestDeadline(200), authenticate(verifier), limitLoad({ maxInFlight: 1, maxTenantInFlight: 1 }));
  resource(app, '/', { GET: [(request, response) => sendResponse(request, response, { status: 200 })] });
  resource(app, '/waiting', {
    GET: [
      (request, response) => {
        waiting.begin(request, response);
        signals.push(signalOf(request));
      },
    ],
  });
  app.use(handleProblems({ renderProblem, metrics }));
  server = await startExampleServer(app);
  const ask = async (target: string, tenant = 'acme') =>
    parseResponse(await server.exchange(requestOf(target, tenant, 'Connection: close\r\n'))).status;
  const wait = async (tenant = 'acme') => {
    const before = waiting.count;
    const socket = await server.connect();
    socket.write(requestOf('/waiting', tenant));
    await eventually(() => expect(waiting.count).toBe(before + 1));
    return socket;
  };
  return { ask, wait, waiting, signals, left: () => left };
}

const requestOf = (target: string, tenant: string, fields = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenant}\r\n${fields}\r\n`;

describe('limitWaiting', () => {
  it('lets a request wait beyond its deadline and the limit of load, up to limits of its own', async () => {
    const { ask, wait, waiting, signals } = await start();
    const sockets = [await wait(), await wait()];
    expect([await ask('/'), await ask('/waiting')]).toEqual([200, 503]);
    sockets.push(await wait('globex'));
    expect(await ask('/', 'initech')).toBe(200);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
    sockets.forEach((socket) => socket.destroy());
    await eventually(() => expect(waiting.count).toBe(0));
    (await wait()).destroy();
  });

  it.each(['/', '/waiting'])(
    'keeps no place for a client that left while its token was verified: %s',
    async (target) => {
      const { ask, wait, waiting, left } = await start();
      const { promise, resolve } = Promise.withResolvers<void>();
      verified = promise;
      verifying = 0;
      const sockets = await Promise.all(Array.from({ length: 5 }, () => server.connect()));
      sockets.forEach((socket) => socket.write(requestOf(target, 'acme')));
      await eventually(() => expect(verifying).toBe(5));
      sockets.forEach((socket) => socket.destroy());
      await eventually(() => expect(left()).toBe(5));
      resolve();
      verified = Promise.resolve();
      await eventually(async () => expect(await ask('/')).toBe(200));
      expect(waiting.count).toBe(0);
      (await wait()).destroy();
    },
  );
});
