import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRoundRobinProxy, startServiceProcess } from '@meridian/testing';
import type { RoundRobinProxy, ServiceProcess } from '@meridian/testing';

import { startIsolatedStore } from './isolated-store.ts';
import type { IsolatedStore } from './isolated-store.ts';

const main = new URL('../src/main.ts', import.meta.url);
const restarts = 10;
const clientCount = 6;
/** The pause between two requests of a client, which leaves the machine time to start processes. */
const pauseMs = 3;

describe('Two replicas behind a load balancer that are restarted under load', () => {
  let store: IsolatedStore;
  let proxy: RoundRobinProxy;
  const started: ServiceProcess[] = [];

  beforeAll(async () => {
    // Long, because a late response on a busy machine is not a lost one.
    store = await startIsolatedStore({ requestDeadlineMs: 20_000 });
    const replicas = await Promise.all([start(), start()]);
    proxy = await startRoundRobinProxy(replicas.map(({ url }) => url));
  });

  afterAll(async () => {
    await proxy.close();
    for (const { child } of started) {
      child.kill('SIGKILL');
    }
    await Promise.all(started.map(({ exited }) => exited));
    await store.stop();
  });

  async function start(): Promise<ServiceProcess> {
    // A quarter of the grace lets load balancers notice.
    const replica = await startServiceProcess(main, { ...store.environment, SHUTDOWN_GRACE_MS: '4000' });
    started.push(replica);
    return replica;
  }

  it('fail no request in ten restarts by SIGTERM, lose no write, and exit 0 each time', async () => {
    const outcomes = new Map<string, number>();
    let isOver = false;
    const clients = Array.from({ length: clientCount }, (_, index) =>
      writeAndRead(`account-${index}`, { isOver: () => isOver, outcomes }),
    );

    const exitCodes: (number | null)[] = [];
    let starting = start();
    for (let restart = 1; restart <= restarts; restart += 1) {
      const leaving = started[restart - 1];
      const successor = await starting;
      if (restart < restarts) {
        starting = start();
      }
      proxy.add(successor.url);
      // It gets its part of the load before the next one stops.
      await proxy.untilSent(successor.url, clientCount);
      exitCodes.push((await leaving?.stop()) ?? null);
    }
    isOver = true;
    const writes = await Promise.all(clients);

    expect(exitCodes).toEqual(Array.from({ length: restarts }, () => 0));
    expect([...outcomes.keys()].toSorted()).toEqual(['GET 200', 'POST 201', 'PUT 200']);
    for (const [index, written] of writes.entries()) {
      const { rows } = await store.admin<{ revision: string }>(
        `select revision from accounts where id = 'account-${index}'`,
      );
      expect(rows).toEqual([{ revision: String(1 + written) }]);
    }
  });

  interface Load {
    readonly isOver: () => boolean;
    /** The number of each status by method; a missing response counts as a status. */
    readonly outcomes: Map<string, number>;
  }

  /** One client, which never repeats a request; returns the number of its writes that got 200. */
  async function writeAndRead(id: string, { isOver, outcomes }: Load): Promise<number> {
    const send = async (method: string, path: string, init: { etag?: string; body?: string } = {}) => {
      const { etag, body = null } = init;
      const headers = { ...store.headers, ...(etag === undefined ? {} : { 'If-Match': etag }) };
      const response = await fetch(proxy.url + path, { method, headers, body }).catch(() => undefined);
      await response?.text();
      const outcome = `${method} ${response?.status ?? 'unanswered'}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      return { status: response?.status, etag: response?.headers.get('etag') ?? '' };
    };

    let { etag } = await send('POST', '/accounts', { body: `{"id":"${id}","balance_minor_units":0}` });
    let written = 0;
    while (!isOver()) {
      await delay(pauseMs);
      await send('GET', `/accounts/${id}`);
      const body = `{"balance_minor_units":${written + 1}}`;
      const put = await send('PUT', `/accounts/${id}`, { etag, body });
      if (put.status === 200) {
        written += 1;
      }
      etag = put.etag;
    }
    return written;
  }
});
