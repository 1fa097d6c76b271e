import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@meridian/telemetry';
import type { LoopbackServer } from '@meridian/testing';
import { listenOnLoopback } from '@meridian/testing';

import { createRenderProblem } from '../../src/render-problem.ts';
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
      reasonAgainst: () => undefined,
      renderProblem: createRenderProblem(logger),
      logger,
      ...options,
    }),
  );
  return await fetch(new URL(path, admin.url), { method });
}

describe('the admin listener of several workers', () => {
  it.each(['/livez', '/readyz', '/explain', '/metrics'])('gives every answer an id: %s', async (path) => {
    expect((await ask(path)).headers.get('request-id')).toMatch(uuid);
  });

  it('is not ready while some do not listen, and says so in the form of all refusals', async () => {
    const response = await ask('/readyz', { reasonAgainst: () => '1 of 2 workers listen.' });
    const { status, headers } = response;
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([
      503,
      '1',
      'no-store',
    ]);
    expect(headers.get('request-id')).toMatch(uuid);
    expect(await response.json()).toMatchObject({
      errors: [{ message: '1 of 2 workers listen.', extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
  });

  it('says that a worker does not answer, and why in the log', async () => {
    const response = await ask('/readyz', {
      workers: () => [{ name: '1', adminUrl: 'http://127.0.0.1:1' }],
    });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('127.0.0.1');
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'warn', requestId: response.headers.get('request-id') }),
    );
  });

  it('leaves it to the workers to refuse a method', async () => {
    expect(await (await ask('/livez', { method: 'POST' })).text()).toBe('POST /livez');
  });
});
