import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';
import { EventSource } from 'eventsource';

import { startIsolatedStore } from '../isolated-store.ts';
import type { IsolatedStore } from '../isolated-store.ts';
import { followEvents } from '../routes/events/follow-events.ts';
import type { FollowedStream } from '../routes/events/follow-events.ts';
import { startAccounts } from '../running-accounts.ts';
import type { RunningAccounts } from '../running-accounts.ts';

const main = new URL('../../src/main.ts', import.meta.url);

describe('The accounts process, with readers that wait,', () => {
  let store: IsolatedStore;
  const started: ServiceProcess[] = [];

  beforeAll(async () => {
    store = await startIsolatedStore({ requestDeadlineMs: 5000 });
  });
  afterAll(async () => {
    for (const { child } of started) {
      child.kill('SIGKILL');
    }
    await Promise.all(started.map(({ exited }) => exited));
    await store.stop();
  });

  async function start(environment: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = await startServiceProcess(main, { ...store.environment, ...environment });
    started.push(service);
    return service;
  }

  async function post(service: ServiceProcess, id: string): Promise<void> {
    const body = `{"id":"${id}","balance_minor_units":1}`;
    await eventually(async () => {
      const response = await fetch(`${service.url}/accounts`, {
        method: 'POST',
        headers: store.headers,
        body,
      });
      // Where the outcome of the first try was unknown, the account is there.
      expect([201, 409]).toContain(response.status);
    });
  }

  const subjectsOf = ({ events }: FollowedStream): string[] => events.map(({ subject }) => subject);

  it('loses none of them while PostgreSQL restarts, and they miss nothing', async () => {
    const service = await start();
    const stream = await followEvents(`${service.url}/events`, store.headers);
    await post(service, 'before');
    await stream.reaches(1);
    const { rows } = await store.admin<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'accounts listener'`,
    );
    expect(rows).toHaveLength(1);
    // PostgreSQL ends all connections then, and recovers.
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await post(service, 'after');
    await stream.reaches(2);
    await eventually(async () => {
      const listeners = await store.admin(
        `select from pg_stat_activity where application_name = 'accounts listener'`,
      );
      expect(listeners.rows).toHaveLength(1);
    });
    await post(service, 'later');
    await stream.reaches(3);
    expect(subjectsOf(stream)).toEqual(['/accounts/before', '/accounts/after', '/accounts/later']);
    stream.leave();
  });

  it('ends them in order on SIGTERM, well within its grace, with exit code 0', async () => {
    const graceMs = 30_000;
    const service = await start({ SHUTDOWN_GRACE_MS: String(graceMs) });
    const read = async (query: string): Promise<{ items: unknown[]; next_cursor: string }> =>
      (await (await fetch(`${service.url}/events?${query}`, { headers: store.headers })).json()) as never;
    const { next_cursor: after } = await read('limit=100');
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => followEvents(`${service.url}/events?after=${after}`, store.headers)),
    );
    const pages = Array.from({ length: 5 }, () => read(`wait=30&after=${after}`));
    await post(service, 'last');
    await Promise.all(streams.map((stream) => stream.reaches(1)));
    await Promise.all(pages);
    const waiting = Array.from({ length: 5 }, async () =>
      read(`wait=30&after=${(await pages[0])?.next_cursor}`),
    );
    await eventually(async () => {
      const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
      expect(metrics).toMatch(/^meridian_waiting_requests\{.*\} 25$/mu);
    });
    const startedMs = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(graceMs / 2);
    // Neither breaks off.
    await Promise.all(streams.map(({ ended }) => ended));
    expect((await Promise.all(waiting)).map(({ items }) => items)).toEqual(waiting.map(() => []));
  });

  it('keeps an EventSource over a restart, which misses nothing and has nothing twice', async () => {
    const first = await start();
    const { port } = new URL(first.url);
    const subjects: string[] = [];
    const source = new EventSource(`${first.url}/events?type=account.created`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...store.headers } }),
    });
    source.addEventListener('message', ({ data }: { readonly data: string }) => {
      subjects.push((JSON.parse(data) as { subject: string }).subject);
    });
    await post(first, 'source-1');
    await eventually(() => expect(subjects.at(-1)).toBe('/accounts/source-1'));
    const before = subjects.length;
    expect(await first.stop()).toBe(0);
    // Written meanwhile, by another process.
    await post(await start(), 'source-2');
    const again = await start({ PORT: port });
    await post(again, 'source-3');
    await eventually(() => expect(subjects.at(-1)).toBe('/accounts/source-3'));
    expect(subjects.slice(before)).toEqual(['/accounts/source-2', '/accounts/source-3']);
    expect(source.readyState).toBe(EventSource.OPEN);
    source.close();
  });
});

describe('Requests that wait', () => {
  let accounts: RunningAccounts;
  const open: FollowedStream[] = [];
  beforeAll(async () => {
    accounts = await startAccounts({
      load: { maxInFlight: 2, maxTenantInFlight: 1 },
      waiting: { maxWaiting: 4, maxTenantWaiting: 3 },
    });
  });
  afterEach(() => open.splice(0).forEach((stream) => stream.leave()));
  afterAll(() => accounts.stop());

  const follow = async (): Promise<number> => {
    const stream = await followEvents(`${accounts.url}/events`, {
      Authorization: accounts.authorizationOf(),
    });
    open.push(stream);
    return stream.response.status;
  };

  it('count towards a limit of their own, and not towards the limit of load', async () => {
    expect([await follow(), await follow(), await follow()]).toEqual([200, 200, 200]);
    await accounts.client().get('/accounts').expect(200);
    const refused = await accounts.client().get('/events?wait=1').expect(503);
    expect(refused.headers['retry-after']).toBe('1');
    expect(await follow()).toBe(503);
    await accounts.client({ tenant: 'globex' }).get('/events?wait=1').expect(200);
    open.splice(0).forEach((stream) => stream.leave());
    await eventually(async () => expect(await follow()).toBe(200));
  });
});
