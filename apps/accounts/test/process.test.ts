import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, runScript, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';
import { documentedFetch } from '@meridian/testing/openapi';
import type { DocumentedFetch } from '@meridian/testing/openapi';

import { startIsolatedStore } from './isolated-store.ts';
import type { IsolatedStore } from './isolated-store.ts';

const main = new URL('../src/main.ts', import.meta.url);

type AccountsProcess = ServiceProcess & { readonly fetch: DocumentedFetch };

describe('The accounts process', () => {
  let store: IsolatedStore;
  const started: ServiceProcess[] = [];

  beforeAll(async () => {
    // Enough for anything that does not hang, even on a busy machine.
    store = await startIsolatedStore({ requestDeadlineMs: 3_000 });
  });

  afterAll(async () => {
    for (const { child } of started) {
      child.kill('SIGKILL');
    }
    await Promise.all(started.map(({ exited }) => exited));
    await store.stop();
  });

  async function start(environment: Record<string, string> = {}): Promise<AccountsProcess> {
    const service = await startServiceProcess(main, { ...store.environment, ...environment });
    started.push(service);
    return { ...service, fetch: await documentedFetch(service.url) };
  }

  async function create(service: AccountsProcess, id: string) {
    const body = `{"id":"${id}","balance_minor_units":1}`;
    const response = await service.fetch('/accounts', { method: 'POST', headers: store.headers, body });
    expect(response.status).toBe(201);
    return response.headers.get('etag') ?? '';
  }

  it('answers 504 with Retry-After: 1 while PostgreSQL is stopped, and is healthy after it resumes', async () => {
    const service = await start();
    const etag = await create(service, 'stopped');
    const account = '/accounts/stopped';
    const stopped = store.processIds();
    for (const pid of stopped) {
      process.kill(pid, 'SIGSTOP');
    }

    const [read, write, ready] = await Promise.all([
      service.fetch(account, { headers: store.headers }),
      service.fetch(account, {
        method: 'PUT',
        headers: { ...store.headers, 'If-Match': etag },
        body: '{"balance_minor_units":2}',
      }),
      fetch(`${service.adminUrl}/readyz`),
    ]);
    for (const pid of stopped) {
      process.kill(pid, 'SIGCONT');
    }

    expect([read.status, read.headers.get('retry-after')]).toEqual([504, '1']);
    expect(read.text).toContain('/problems/upstream-timeout');
    expect([write.status, write.headers.get('retry-after')]).toEqual([504, '1']);
    expect(ready.status).toBe(503);
    expect((await service.fetch(account, { headers: store.headers })).status).toBe(200);
    expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200);
  });

  it('finishes a request that is under way when it receives SIGTERM', async () => {
    const service = await start({ REQUEST_DEADLINE_MS: '30000', SHUTDOWN_GRACE_MS: '30000' });
    await create(service, 'underway');
    const lock = await store.connectAdmin();
    await lock.query('begin; lock table accounts');
    const response = service.fetch('/accounts/underway', { headers: store.headers });
    await eventually(async () => {
      expect((await store.admin('select from pg_locks where not granted')).rowCount).toBe(1);
    });
    service.child.kill('SIGTERM');
    await eventually(async () => {
      expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(503);
    });
    await lock.end();

    expect((await response).status).toBe(200);
    expect(await service.exited).toBe(0);
  });

  it('shares its ETags with another replica', async () => {
    const [one, another] = await Promise.all([start(), start()]);
    const etag = await create(one, 'shared');
    const response = await another.fetch('/accounts/shared', {
      headers: { ...store.headers, 'If-None-Match': etag },
    });
    expect(response.status).toBe(304);
  });

  it('generates its signing keys in development when none are set', async () => {
    const { ETAG_KEYS: _etagKeys, CURSOR_KEYS: _cursorKeys, ...environment } = store.environment;
    const service = await startServiceProcess(main, { ...environment, NODE_ENV: 'development' });
    started.push(service);
    const response = await fetch(`${service.url}/accounts`, { headers: store.headers });
    expect(response.status).toBe(200);
  });

  it('refuses a bad environment with one line for each variable, without showing a secret', async () => {
    const { code, stderr } = await runScript(main, {
      NODE_ENV: 'production',
      PORT: 'eighty',
      DATABASE_URL: 'mysql://root:hunter2@db/accounts',
      JWKS_URL: 'http://issuer.example/jwks.json',
      ETAG_KEYS: 'short',
    });
    expect(code).toBe(1);
    const names = stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(names).toEqual([
      'PORT',
      'DATABASE_URL',
      'JWT_ISSUER',
      'JWKS_URL',
      'PROBLEM_BASE_URL',
      'ETAG_KEYS',
      'CURSOR_KEYS',
    ]);
    expect(stderr).not.toMatch(/hunter2|short/);
  });
});
