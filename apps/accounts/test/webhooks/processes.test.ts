// Webhooks of several processes, which share the work, and one of which is killed.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';

import { startIsolatedStore } from '../isolated-store.ts';
import type { IsolatedStore } from '../isolated-store.ts';
import { startReceiver, verify } from './receiver.ts';
import type { Receiver } from './receiver.ts';

const main = new URL('../../src/main.ts', import.meta.url);

describe('Webhooks of several processes', () => {
  let store: IsolatedStore;
  let receiver: Receiver;
  const started: ServiceProcess[] = [];
  beforeAll(async () => {
    store = await startIsolatedStore({ requestDeadlineMs: 10_000 });
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const { child } of started) {
      child.kill('SIGKILL');
    }
    await Promise.all(started.splice(0).map(({ exited }) => exited));
  });
  afterAll(async () => {
    await receiver.close();
    await store.stop();
  });

  async function start(): Promise<ServiceProcess> {
    const service = await startServiceProcess(main, {
      ...store.environment,
      WEBHOOK_SECRET_KEYS: 'a key of the tests that is as long as it has to be',
      WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8',
    });
    started.push(service);
    return service;
  }
  async function post(service: ServiceProcess, path: string, body: object): Promise<Record<string, string>> {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: store.headers,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return JSON.parse(await response.text()) as Record<string, string>;
  }
  const createWebhook = (service: ServiceProcess, path: string) =>
    post(service, '/webhooks', { url: receiver.url + path });
  const createAccount = (service: ServiceProcess, id: string) =>
    post(service, '/accounts', { id, balance_minor_units: 0 });

  /** By the metrics of a process, among which are all that webhooks have. */
  async function countDelivered({ adminUrl }: ServiceProcess): Promise<number> {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    for (const name of [
      'attempts_in_flight',
      'oldest_due_seconds',
      'deliveries_failed_total',
      'disabled_total',
    ]) {
      expect(text).toContain(`# TYPE webhook_${name} `);
    }
    return Number(/^webhook_attempts_total\{.*outcome="delivered".*\} (\d+)$/mu.exec(text)?.[1] ?? 0);
  }

  it('send each event once to each webhook, whichever process wrote it', async () => {
    const services = await Promise.all([start(), start()]);
    const [one, another] = services;
    const webhooks = [
      { path: '/one', ...(await createWebhook(one, '/one')) },
      { path: '/another', ...(await createWebhook(another, '/another')) },
    ];
    const count = 40;
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        createAccount(index % 2 === 0 ? one : another, `account-${index}`),
      ),
    );
    for (const { path, secret = '' } of webhooks as { path: string; secret?: string }[]) {
      const requests = await receiver.at(path, count);
      const subjects = requests.map((request) => verify(request, secret)['subject']);
      expect(new Set(subjects).size).toBe(count);
    }
    await eventually(async () => {
      const { rows } = await store.admin(
        `select status, attempts, count(*)::int from webhook_deliveries group by 1, 2`,
      );
      expect(rows).toEqual([{ status: 'delivered', attempts: 1, count: 2 * count }]);
    });
    const counts = await Promise.all(services.map(countDelivered));
    expect(counts.reduce((sum, counted) => sum + counted)).toBe(2 * count);
    // None came twice while the rest was under way.
    expect(receiver.received).toHaveLength(2 * count);
  });

  it('send again what a killed process had not ended, once its lease is over', async () => {
    const killed = await start();
    await createWebhook(killed, '/killed');
    receiver.respond = () => undefined;
    await createAccount(killed, 'killed');
    const [first] = await receiver.at('/killed', 1);
    killed.child.kill('SIGKILL');
    await killed.exited;

    receiver.respond = (_request, response) => response.writeHead(204).end();
    await start();
    // 30 seconds later.
    await store.admin(`update webhook_deliveries set leased_until = now() where leased_until is not null`);
    await store.admin(`update webhook_queue set due_at = now()`);
    const [, second] = await receiver.at('/killed', 2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    await eventually(async () => {
      const { rows } = await store.admin(
        `select status from webhook_deliveries where event_id = '${first?.headers['webhook-id']}'`,
      );
      expect(new Set(rows.map(({ status }) => String(status)))).toEqual(new Set(['delivered']));
    });
  });

  it('give back on SIGTERM what does not end in time, and another process sends it at once', async () => {
    const [stopped] = await Promise.all([start(), start()]);
    await createWebhook(stopped, '/stopped');
    receiver.respond = () => undefined;
    await createAccount(stopped, 'stopped');
    await receiver.at('/stopped', 1);
    const { rows } = await store.admin<{ holder: string }>(
      `select count(*)::text as holder from webhook_deliveries where leased_until > now()`,
    );
    expect(Number(rows[0]?.holder)).toBeGreaterThan(0);
    receiver.respond = (_request, response) => response.writeHead(204).end();
    // Either process may have leased it.
    expect(await Promise.all(started.map((service) => service.stop()))).toEqual([0, 0]);
    const before = await store.admin(`select from webhook_deliveries where leased_until is not null`);
    expect(before.rows).toEqual([]);
    await start();
    await receiver.at('/stopped', 2);
  });
});
