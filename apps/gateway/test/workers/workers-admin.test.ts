import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger, createMetrics } from '@meridian/telemetry';
import type { LoopbackServer } from '@meridian/testing';
import { eventually, listenOnLoopback } from '@meridian/testing';

import { createRenderProblem } from '../../src/errors/render-problem.ts';
import type { WorkersAdminOptions } from '../../src/workers/workers-admin.ts';
import { createWorkersAdmin } from '../../src/workers/workers-admin.ts';

const uuid = /^[0-9a-f-]{36}$/;

let worker: LoopbackServer;
let admin: LoopbackServer | undefined;
let log: Readonly<Record<string, unknown>>[];

beforeEach(async () => {
  log = [];
  worker = await listenOnLoopback(({ method, url }, response) => {
    response.statusCode = url === '/explain' ? 404 : 200;
    response.end(`${method} ${url}`);
  });
});
afterEach(async () => {
  await admin?.close();
  await worker.close();
});

async function ask(
  path: string,
  { method = 'GET', ...options }: Partial<WorkersAdminOptions> & { readonly method?: string } = {},
): Promise<Response> {
  const logger = createLogger({
    service: 'gateway',
    destination: { write: (line) => void log.push(JSON.parse(line) as Readonly<Record<string, unknown>>) },
  });
  admin = await listenOnLoopback(
    createWorkersAdmin({
      workers: () => [{ name: '1', adminUrl: worker.url }],
      isStopping: () => false,
      metrics: createMetrics({ service: 'gateway' }),
      renderProblem: createRenderProblem(logger),
      logger,
      ...options,
    }),
  );
  return await fetch(new URL(path, admin.url), { method });
}

describe('The admin listener of several workers', () => {
  it.each(['/livez', '/readyz', '/explain', '/metrics'])(
    'sends a Request-Id with every response: %s',
    async (path) => {
      expect((await ask(path)).headers.get('request-id')).toMatch(uuid);
    },
  );

  it('is not ready while it stops, and says so as a request error', async () => {
    const response = await ask('/readyz', { isStopping: () => true });
    const { status, headers } = response;
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([
      503,
      '1',
      'no-store',
    ]);
    expect(headers.get('request-id')).toMatch(uuid);
    expect(await response.json()).toMatchObject({
      errors: [{ message: 'The gateway is stopping.', extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
  });

  it('is not ready while no worker listens, and has its own metrics', async () => {
    expect((await ask('/readyz', { workers: () => [] })).status).toBe(503);
    await admin?.close();
    const response = await ask('/metrics', { workers: () => [] });
    expect(await response.text()).toContain('process_resident_memory_bytes{worker="primary"');
  });

  it.each(['/readyz', '/metrics'])('follows the workers that respond: %s', async (path) => {
    const response = await ask(path, {
      workers: () => [
        { name: '1', adminUrl: 'http://127.0.0.1:1' },
        { name: '2', adminUrl: worker.url },
      ],
    });
    expect(response.status).toBe(200);
  });

  it.each(['/readyz', '/health?ready'])('is ready until no worker is: %s', async (path) => {
    await using unready = await listenOnLoopback((_request, response) =>
      response.writeHead(503).end('unready'),
    );
    const statusWith = async (...urls: readonly string[]): Promise<number> => {
      const workers = urls.map((adminUrl, index) => ({ name: String(index), adminUrl }));
      const { status } = await ask(path, { workers: () => workers });
      await admin?.close();
      return status;
    };
    expect(await statusWith(unready.url, worker.url)).toBe(200);
    expect(await statusWith(unready.url, unready.url)).toBe(503);
  });

  it('is ready as soon as one worker is, while another hangs', async () => {
    const hanging = await listenOnLoopback(() => {});
    const response = await ask('/readyz', {
      workers: () => [
        { name: '1', adminUrl: hanging.url },
        { name: '2', adminUrl: worker.url },
      ],
    });
    expect(response.status).toBe(200);
    // It is still being asked: the first answer was enough.
    expect(log).toEqual([]);
    await hanging.close();
    await eventually(() => expect(log).toEqual([expect.objectContaining({ level: 'warn', worker: '1' })]));
  });

  it('logs once that a worker does not respond, however often it is probed', async () => {
    const gone = { name: '1', adminUrl: 'http://127.0.0.1:1' };
    const response = await ask('/readyz', { workers: () => [gone] });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('127.0.0.1');
    await fetch(new URL('/readyz', admin?.url));
    expect(log).toEqual([expect.objectContaining({ level: 'warn', worker: '1' })]);
  });

  it.each(['POST', 'DELETE', 'OPTIONS'])('rejects a method that no path supports: %s', async (method) => {
    const response = await ask('/livez', { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    ['/explain?id=a', 200],
    ['//127.0.0.1:1/secret', 404],
    ['http://127.0.0.1:1/secret', 404],
    ['/a/../b?c#d', 404],
    ['/./metrics', 404],
    ['//', 404],
  ])(
    'asks the workers for their paths as they are written, and nobody else: %s is %d',
    async (path, status) => {
      await ask('/livez');
      const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
      get(admin?.url ?? '', { path }, resolve);
      const response = await promise;
      expect(response.statusCode).toBe(status);
      expect(await text(response)).toMatch(
        status === 200 ? /^GET \/explain\?id=a/ : /route-not-found|no such path/,
      );
      expect(log.filter(({ level }) => level !== 'info')).toEqual([]);
    },
  );

  it('follows no redirect of a worker', async () => {
    await using redirecting = await listenOnLoopback((_request, response) => {
      response.writeHead(302, { Location: worker.url }).end();
    });
    const response = await ask('/explain', { workers: () => [{ name: '1', adminUrl: redirecting.url }] });
    expect([response.status, response.headers.get('location')]).toEqual([302, null]);
  });
});
