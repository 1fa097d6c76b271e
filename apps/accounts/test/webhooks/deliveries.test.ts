// Webhooks end to end: what a receiver gets, by HTTP, from a service that sends.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';
import { HTTP } from 'cloudevents';

import { startAccounts } from '../running-accounts.ts';
import type { RunningAccounts } from '../running-accounts.ts';
import { startReceiver, verify } from './receiver.ts';
import type { Receiver } from './receiver.ts';

interface Delivery {
  id: string;
  event_id: string;
  status: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
}

describe('A webhook', () => {
  let accounts: RunningAccounts;
  let receiver: Receiver;
  beforeAll(async () => {
    accounts = await startAccounts({ sendsWebhooks: true });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await accounts.stop();
    await receiver.close();
  });

  let paths = 0;
  async function createWebhook(members: object = {}, tenant: 'acme' | 'globex' = 'acme') {
    const path = `/hooks/${(paths += 1)}`;
    const response = await accounts
      .post('/webhooks', JSON.stringify({ url: receiver.url + path, ...members }), { tenant })
      .expect(201);
    const { id, secret } = JSON.parse(response.text) as { id: string; secret: string };
    return { id, secret, path, location: `/webhooks/${id}` };
  }
  const deliveriesOf = async (location: string): Promise<Delivery[]> => {
    const { text } = await accounts.client().get(`${location}/deliveries`).expect(200);
    return (JSON.parse(text) as { items: Delivery[] }).items;
  };
  const remove = (location: string) => accounts.client().delete(location).expect(204);
  /** Waits until the only delivery has a status. */
  async function untilDelivery(location: string, expected: Partial<Delivery>): Promise<Delivery> {
    let found: Delivery[] = [];
    await eventually(async () => {
      found = await deliveriesOf(location);
      expect(found).toEqual([expect.objectContaining(expected)]);
    });
    return found[0] as Delivery;
  }
  async function makeDue(webhookId: string) {
    await accounts.admin.query(
      `update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and status = 'pending'`,
      [webhookId],
    );
    await wake(webhookId);
  }
  /** Has the service look at the tenant. */
  const wake = (webhookId: string) => accounts.client().patch(`/webhooks/${webhookId}`).send('{}');

  it('gets each event as GET /events has it, signed, for its library and for the SDK of CloudEvents', async () => {
    const { secret, path, location } = await createWebhook();
    const { id } = await accounts.create({ balance: 9_223_372_036_854_775_807n });
    const [request] = await receiver.at(path, 1);
    const { text } = await accounts.client().get(`/events?subject=/accounts/${id}`).expect(200);

    expect(text).toContain(request?.body);
    expect(request?.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    const event = verify(request!, secret);
    expect(event).toMatchObject({ type: 'account.created', subject: `/accounts/${id}` });
    expect(request?.headers['webhook-id']).toBe(event['id']);
    const parsed = HTTP.toEvent({ headers: request!.headers, body: request!.body });
    expect(parsed).toMatchObject({
      id: event['id'],
      source: '/accounts',
      tenantid: 'acme',
      specversion: '1.0',
    });
    await untilDelivery(location, {
      event_id: String(event['id']),
      status: 'delivered',
      attempts: 1,
      last_status: 204,
      last_error: null,
      next_attempt_at: null,
    });
    await remove(location);
  });

  it('has signatures that no other secret, body, id or time verifies', async () => {
    const { secret, path, location } = await createWebhook();
    await accounts.create({});
    const [request] = await receiver.at(path, 1);
    const { headers, body } = request!;
    const replayed = String(Number(headers['webhook-timestamp']) - 600);
    for (const forged of [
      { body: body.replace('acme', 'evil'), headers },
      { body, headers: { ...headers, 'webhook-id': 'other' } },
      { body, headers: { ...headers, 'webhook-timestamp': replayed } },
    ]) {
      expect(() => verify({ path, ...forged }, secret)).toThrow(/signature|old/u);
    }
    expect(() => verify(request!, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow(/signature/u);
    await remove(location);
  });

  it('gets the chosen types only, of its own tenant only, and nothing from before it', async () => {
    const account = await accounts.create({});
    const chosen = await createWebhook({ types: ['hold.created', 'hold.released', 'hold.created'] });
    const foreign = await createWebhook({}, 'globex');
    const held = await accounts.post(`/accounts/${account.id}/holds`, '{"amount_minor_units":1}');
    await accounts.client().post(`${held.headers['location']}/releases`).expect(201);
    const own = await accounts.create({ tenant: 'globex' });

    const requests = await receiver.at(chosen.path, 2);
    expect(new Set(requests.map((request) => verify(request, chosen.secret)['type']))).toEqual(
      new Set(['hold.created', 'hold.released']),
    );
    const [other, ...more] = await receiver.at(foreign.path, 1);
    expect(verify(other!, foreign.secret)).toMatchObject({
      subject: `/accounts/${own.id}`,
      tenantid: 'globex',
    });
    expect(more).toEqual([]);
    await remove(chosen.location);
    await accounts.client({ tenant: 'globex' }).delete(foreign.location).expect(204);
  });

  it('is signed with the old secret too while it is rotated, and with the new one alone after 24 hours', async () => {
    const { id, secret, path, location } = await createWebhook();
    const rotated = await accounts.client().post(`${location}/secrets`).expect(201);
    const { secret: newSecret } = JSON.parse(rotated.text) as { secret: string };
    await accounts.create({});
    const [first] = await receiver.at(path, 1);
    expect(first?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/u);
    verify(first!, secret);
    verify(first!, newSecret);

    const { rows } = await accounts.admin.query<{ overlap: string }>(
      `select extract(epoch from secret_ends[2] - now())::int::text as overlap from webhooks where id = $1`,
      [id],
    );
    expect(Number(rows[0]?.overlap)).toBeGreaterThan(86_400 - 300);
    expect(Number(rows[0]?.overlap)).toBeLessThanOrEqual(86_400);
    await accounts.admin.query(`update webhooks set secret_ends[2] = now() where id = $1`, [id]);
    await accounts.create({});
    const [, second] = await receiver.at(path, 2);
    verify(second!, newSecret);
    expect(() => verify(second!, secret)).toThrow(/signature/u);
    await remove(location);
  });

  it('that fails is tried again on the schedule, then not any more, and again by hand', async () => {
    const { id, path, location } = await createWebhook();
    receiver.respond = (_request, response) => response.writeHead(500).end('no');
    await accounts.create({});
    const waitsSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [failures, seconds] of waitsSeconds.entries()) {
      const delivery = await untilDelivery(location, {
        status: 'pending',
        attempts: failures + 1,
        last_status: 500,
        last_error: 'status',
      });
      const waitMs = Date.parse(delivery.next_attempt_at ?? '') - Date.now();
      expect(waitMs).toBeGreaterThan(seconds * 1000 - 5000);
      expect(waitMs).toBeLessThanOrEqual(seconds * 1100);
      await makeDue(id);
    }
    const failed = await untilDelivery(location, { status: 'failed', attempts: 10, next_attempt_at: null });
    expect(await receiver.at(path, 10)).toHaveLength(10);
    expect(new Set((await receiver.at(path, 10)).map(({ headers }) => headers['webhook-id'])).size).toBe(1);

    receiver.respond = (_request, response) => response.writeHead(200).end('yes');
    const retried = await accounts.client().post(`${location}/deliveries/${failed.id}/retries`).expect(201);
    expect(JSON.parse(retried.text)).toMatchObject({ id: failed.id, status: 'pending', attempts: 10 });
    await untilDelivery(location, { status: 'delivered', attempts: 11, last_status: 200, last_error: null });
    await remove(location);
  });

  it('that fails gets its second attempt after the first wait, although nothing else happens', async () => {
    const { path, location } = await createWebhook();
    receiver.respond = (_request, response) => response.writeHead(500).end();
    await accounts.create({});
    await untilDelivery(location, { attempts: 1 });
    const failedAt = Date.now();
    receiver.respond = (_request, response) => response.writeHead(204).end();
    await receiver.at(path, 2);
    // The wait is 5 to 5.5 s, and the queue is read each second; a lease is 30 s.
    expect(Date.now() - failedAt).toBeLessThan(15_000);
    await remove(location);
  });

  it('is disabled at once by a 410, and sends nothing until it is active again', async () => {
    const { path, location } = await createWebhook();
    receiver.respond = (_request, response) => response.writeHead(410).end();
    await accounts.create({});
    const gone = await untilDelivery(location, { status: 'failed', attempts: 1, last_status: 410 });
    const read = async () => JSON.parse((await accounts.client().get(location).expect(200)).text) as object;
    await eventually(async () => {
      expect(await read()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    });
    await accounts.client().post(`${location}/deliveries/${gone.id}/retries`).expect(409);
    receiver.respond = (_request, response) => response.writeHead(204).end();
    await accounts.create({});

    const active = await accounts.client().patch(location).send('{"status":"active"}').expect(200);
    expect(JSON.parse(active.text)).toMatchObject({
      status: 'active',
      disabled_reason: null,
      failing_since: null,
    });
    const { id } = await accounts.create({});
    const requests = await receiver.at(path, 2);
    expect(requests.map(({ body }) => body.includes(`"/accounts/${id}"`))).toEqual([false, true]);
    await remove(location);
  });

  it('is disabled by a failure when it has had failures alone for five days', async () => {
    const { id, location } = await createWebhook();
    receiver.respond = (_request, response) => response.writeHead(404).end();
    await accounts.create({});
    await untilDelivery(location, { status: 'pending', attempts: 1 });
    await accounts.admin.query(
      `update webhooks set failing_since = now() - interval '5 days 1 second' where id = $1`,
      [id],
    );
    await makeDue(id);
    await untilDelivery(location, { status: 'pending', attempts: 2 });
    await eventually(async () => {
      const { text } = await accounts.client().get(location).expect(200);
      expect(JSON.parse(text)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    });
    receiver.respond = (_request, response) => response.writeHead(204).end();
    await remove(location);
  });

  it('follows no redirect', async () => {
    const target = await createWebhook({ types: ['hold.expired'] });
    const { location } = await createWebhook();
    receiver.respond = (_request, response) => response.writeHead(307, { Location: target.path }).end();
    await accounts.create({});
    await untilDelivery(location, { status: 'pending', last_status: 307, last_error: 'redirect' });
    expect(receiver.received.filter(({ path }) => path === target.path)).toEqual([]);
    receiver.respond = (_request, response) => response.writeHead(204).end();
    await remove(location);
    await remove(target.location);
  });

  it('drops its deliveries after 30 days, and all of them with itself', async () => {
    const { id, location } = await createWebhook();
    await accounts.create({});
    await untilDelivery(location, { status: 'delivered' });
    await accounts.admin.query(
      `insert into webhook_deliveries
         (tenant_id, webhook_id, id, event_id, event_slot, event_position, status, created_at)
       select 'acme', $1, ordered_uuid(now() - interval '30 days 1 minute' - n * interval '1 second'),
         gen_random_uuid(), 0, 0, 'failed', now() from generate_series(1, 2500) n`,
      [id],
    );
    const cleanNow = async () => {
      await accounts.admin.query(`update webhook_cursors set cleaned_at = '-infinity'`);
      await accounts.create({});
    };
    const countRows = async () => {
      const { rows } = await accounts.admin.query('select from webhook_deliveries where webhook_id = $1', [
        id,
      ]);
      return rows.length;
    };
    await cleanNow();
    await eventually(async () => expect(await countRows()).toBe(2));
    await remove(location);
    await cleanNow();
    await eventually(async () => {
      expect(await countRows()).toBe(0);
      expect((await accounts.admin.query('select from webhooks where id = $1', [id])).rows).toEqual([]);
    });
  });
});
