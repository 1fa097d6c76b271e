import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase, provisionDatabase } from '@meridian/database';
import { startPostgres, type RunningPostgres } from '@meridian/postgres';
import { createTestIdentity } from '@meridian/testing';

import { refusedStart, startServiceProcess, type ServiceProcess } from './service-process.ts';

describe('the accounts process', () => {
  let postgres: RunningPostgres;
  let identity: Awaited<ReturnType<typeof createTestIdentity>>;
  let environment: Record<string, string>;
  let headers: Record<string, string>;
  const started: ServiceProcess[] = [];

  beforeAll(async () => {
    // A server of its own, since it is stopped and resumed.
    postgres = await startPostgres({
      dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-accounts-')),
      port: 0,
      settings: { fsync: 'off' },
      isThrowaway: true,
    });
    const { ownerUrl, serviceUrl } = await provisionDatabase({
      adminUrl: postgres.url,
      database: 'meridian_accounts',
      serviceRole: 'meridian_accounts',
      servicePassword: 'service',
    });
    await migrateDatabase({
      ownerUrl,
      directory: new URL('../migrations/', import.meta.url),
      serviceRole: 'meridian_accounts',
    });
    identity = await createTestIdentity();
    const token = await identity.token({
      tenant: 'acme',
      subject: 'alice',
      scopes: ['accounts:read', 'accounts:write'],
    });
    headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    environment = {
      DATABASE_URL: serviceUrl,
      JWKS_URL: String(identity.jwksUrl),
      JWT_ISSUER: identity.issuer,
      JWT_AUDIENCE: identity.audience,
      ETAG_KEYS: 'a key of the tests that is as long as it has to be',
      CURSOR_KEYS: 'a key of the tests that is as long as it has to be',
      REQUEST_DEADLINE_MS: '1000',
    };
  }, 60_000);

  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ exited }) => exited));
    await identity.close();
    await postgres.stop();
  });

  async function start(): Promise<ServiceProcess> {
    const service = await startServiceProcess(environment);
    started.push(service);
    return service;
  }

  async function create(service: ServiceProcess, id: string) {
    const body = `{"id":"${id}","balance_minor_units":1}`;
    const response = await fetch(`${service.url}/accounts`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    return response.headers.get('etag') ?? '';
  }

  it('answers 504 with Retry-After: 1 within the deadline while PostgreSQL is stopped, and is healthy after it goes on', async () => {
    const service = await start();
    const etag = await create(service, 'stopped');
    const account = `${service.url}/accounts/stopped`;
    const stopped = postgres.processIds();
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');

    const startedMs = performance.now();
    const [read, write, ready] = await Promise.all([
      fetch(account, { headers }),
      fetch(account, {
        method: 'PUT',
        headers: { ...headers, 'If-Match': etag },
        body: '{"balance_minor_units":2}',
      }),
      fetch(`${service.adminUrl}/readyz`),
    ]);
    const elapsedMs = performance.now() - startedMs;
    for (const pid of stopped) process.kill(pid, 'SIGCONT');

    expect([read.status, read.headers.get('retry-after')]).toEqual([504, '1']);
    expect(await read.json()).toMatchObject({ type: expect.stringContaining('/problems/upstream-timeout') });
    expect([write.status, write.headers.get('retry-after')]).toEqual([504, '1']);
    expect(ready.status).toBe(503);
    expect(elapsedMs).toBeLessThan(2_000);
    expect((await fetch(account, { headers })).status).toBe(200);
    expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200);
  });

  it('fails no request when it gets SIGTERM under load, and exits 0', async () => {
    const service = await start();
    await create(service, 'loaded');
    const statuses: number[] = [];
    const failures: unknown[] = [];
    let isStopping = false;

    const clients = Array.from({ length: 16 }, async () => {
      // A client goes on until it is told, by `Connection: close`, that the service is going.
      for (;;) {
        try {
          const response = await fetch(`${service.url}/accounts/loaded`, { headers });
          await response.text();
          statuses.push(response.status);
          if (response.headers.get('connection') === 'close') return;
        } catch (error) {
          failures.push(error);
          return;
        }
        if (statuses.length > 200 && !isStopping) {
          isStopping = true;
          service.child.kill('SIGTERM');
        }
      }
    });
    await Promise.all(clients);

    expect(await service.exited).toBe(0);
    expect(failures).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('finishes a request that is under way when it gets SIGTERM', async () => {
    const service = await start();
    await create(service, 'underway');
    const stopped = postgres.processIds();
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const answer = fetch(`${service.url}/accounts/underway`, { headers });
    await delay(100);
    service.child.kill('SIGTERM');
    await delay(100);
    for (const pid of stopped) process.kill(pid, 'SIGCONT');

    expect((await answer).status).toBe(200);
    expect(await service.exited).toBe(0);
  });

  it('shares its ETags with another replica', async () => {
    const [one, another] = await Promise.all([start(), start()]);
    const etag = await create(one, 'shared');
    const response = await fetch(`${another.url}/accounts/shared`, {
      headers: { ...headers, 'If-None-Match': etag },
    });
    expect(response.status).toBe(304);
  });

  it('refuses a bad environment with one line for each variable, which shows no secret', async () => {
    const { code, lines } = await refusedStart({
      NODE_ENV: 'production',
      PORT: 'eighty',
      DATABASE_URL: 'mysql://root:hunter2@db/accounts',
      JWKS_URL: 'http://issuer.example/jwks.json',
      ETAG_KEYS: 'short',
    });
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'JWKS_URL',
      'JWT_ISSUER',
      'ETAG_KEYS',
      'CURSOR_KEYS',
      'PROBLEM_BASE_URL',
    ]);
    expect(lines.join()).not.toMatch(/hunter2|short/);
  });
});
