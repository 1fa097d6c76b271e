// Receivers that hang take nothing from others: the dispatcher alone, over a real database.
import { createServer } from 'node:http';
import type { Server } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@meridian/database';
import type { Database } from '@meridian/database';
import { eventWriter } from '@meridian/events';
import { createLogger, createMetrics } from '@meridian/telemetry';
import { eventually, listenOnLoopback } from '@meridian/testing';
import type { LoopbackServer } from '@meridian/testing';

import { createDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Dispatcher } from '../../src/dispatch/dispatcher.ts';
import { createSender } from '../../src/dispatch/send-message.ts';
import { accountEvents } from '../../src/events/account-events.ts';
import { createWebhookQueue } from '../../src/store/webhook-queue.ts';
import { createAddressPolicy, parseNetworks } from '../../src/webhooks/address-policy.ts';
import { createSecretBox } from '../../src/webhooks/secret-box.ts';
import { startAccounts, testKey } from '../running-accounts.ts';
import type { RunningAccounts } from '../running-accounts.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';

const limits = { all: 24, tenant: 8, webhook: 3, failing: 8 };

describe('A dispatcher whose receivers hang', () => {
  let accounts: RunningAccounts;
  let database: Database;
  let receiver: Receiver;
  let hanging: LoopbackServer;
  /** Requests under way at the hanging receiver, by path, and the peaks of them. */
  const underWay = new Map<string, number>();
  let peak = { all: 0, path: 0 };
  beforeAll(async () => {
    accounts = await startAccounts();
    receiver = await startReceiver();
    hanging = await listenOnLoopback(hangingServer());
    database = connectDatabase({
      url: accounts.storeUrl,
      applicationName: 'dispatcher',
      poolSize: 10,
      statementTimeoutMs: 5000,
      logger: { warn: () => undefined },
    });
  });
  afterAll(async () => {
    await database.close();
    await hanging.close();
    await receiver.close();
    await accounts.stop();
  });

  function hangingServer(): Server {
    return createServer((request, response) => {
      const path = request.url ?? '';
      const change = (by: number): void => {
        underWay.set(path, (underWay.get(path) ?? 0) + by);
        const counts = [...underWay.values()];
        peak = {
          all: Math.max(
            peak.all,
            counts.reduce((sum, count) => sum + count, 0),
          ),
          path: Math.max(peak.path, ...counts),
        };
      };
      change(1);
      response.on('close', () => change(-1));
    });
  }
  function dispatch(deadlineMs: number): Dispatcher {
    return createDispatcher({
      queue: createWebhookQueue(database),
      sender: createSender({ addresses: createAddressPolicy(parseNetworks('127.0.0.0/8')), deadlineMs }),
      secrets: createSecretBox([testKey]),
      writeEvent: eventWriter(accountEvents),
      logger: createLogger({ service: 'accounts', level: 'silent' }),
      metrics: createMetrics({ service: 'accounts' }),
      limits,
    });
  }
  const createWebhook = (tenant: 'acme' | 'globex', url: string) =>
    accounts.client({ tenant }).post('/webhooks').send(JSON.stringify({ url })).expect(201);

  it('sends to those that work, of other tenants, within the limits', async () => {
    for (const path of ['/a', '/b', '/c', '/d']) {
      await createWebhook('acme', hanging.url + path);
    }
    await createWebhook('globex', `${receiver.url}/works`);
    for (let index = 0; index < 8; index += 1) {
      await accounts.create({ tenant: 'acme' });
    }
    // Long: nothing of acme ends in this test.
    const dispatcher = dispatch(60_000);
    try {
      await eventually(() => expect(peak.all).toBe(limits.tenant));
      for (let index = 1; index <= 12; index += 1) {
        await accounts.create({ tenant: 'globex' });
        dispatcher.wake('globex');
        await receiver.at('/works', index);
      }
      expect(peak).toEqual({ all: limits.tenant, path: limits.webhook });
    } finally {
      await dispatcher.stop();
    }
  });

  it('makes one attempt at a time to each that fails', async () => {
    await accounts.admin.query(`update webhooks set failing_since = now() where tenant_id = 'acme'`);
    await eventually(() => expect(new Set(underWay.values())).toEqual(new Set([0])));
    peak = { all: 0, path: 0 };
    const dispatcher = dispatch(150);
    try {
      await eventually(async () => {
        const { rows } = await accounts.admin.query<{ attempts: string }>(
          `select sum(attempts) as attempts from webhook_deliveries where tenant_id = 'acme'`,
        );
        expect(Number(rows[0]?.attempts)).toBeGreaterThanOrEqual(24);
      });
      expect(peak).toEqual({ all: 4, path: 1 });
    } finally {
      await dispatcher.stop();
    }
  });
});
