import { describe, expect, it } from '@jest/globals';

import { createAddressPolicy } from '../../../src/webhooks/address-policy.ts';
import { checkWebhookUrl } from '../../../src/webhooks/webhook-url.ts';
import { useAccounts } from '../../running-accounts.ts';

const url = 'https://example.com/hooks';

interface Webhook {
  id: string;
  secret?: string;
}

describe('Webhooks', () => {
  const accounts = useAccounts();

  const post = (body: object | string, headers: Record<string, string> = {}) =>
    accounts
      .client()
      .post('/webhooks')
      .set(headers)
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  async function create(members: object = {}): Promise<Webhook> {
    return JSON.parse((await post({ url, ...members }).expect(201)).text) as Webhook;
  }
  const kindOf = ({ text }: { text: string }) =>
    (JSON.parse(text) as { type: string }).type.split('/').at(-1);

  describe('POST /webhooks', () => {
    it('answers 201 with the webhook, its path, and its secret, which no read shows', async () => {
      const response = await post({ url, types: ['account.updated'], description: 'billing' }).expect(201);
      const { id, secret, ...webhook } = JSON.parse(response.text) as Webhook;
      expect(response.headers['location']).toBe(`/webhooks/${id}`);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u);
      expect(webhook).toEqual({
        url,
        types: ['account.updated'],
        description: 'billing',
        status: 'active',
        disabled_reason: null,
        failing_since: null,
        created_at: expect.any(String),
      });
      const read = await accounts.client().get(`/webhooks/${id}`).expect(200);
      expect(JSON.parse(read.text)).toEqual({ id, ...webhook });
      const { rows } = await accounts.admin.query<{ row: string }>(
        'select w::text as row from webhooks w where id = $1',
        [id],
      );
      expect(rows[0]?.row).not.toContain(secret?.slice('whsec_'.length, 20));
    });

    it('keeps a type that is given twice once, also in a PATCH', async () => {
      const types = ['account.updated', 'account.created', 'account.updated'];
      const { id, ...created } = await create({ types });
      expect(created).toMatchObject({ types: types.slice(0, 2) });
      const patched = await accounts.client().patch(`/webhooks/${id}`).send({ types }).expect(200);
      expect(JSON.parse(patched.text)).toMatchObject({ types: types.slice(0, 2) });
    });

    it('answers a repeated Idempotency-Key with the same secret, and stores that encrypted', async () => {
      const headers = { 'Idempotency-Key': 'one-webhook' };
      const first = await post({ url }, headers).expect(201);
      const again = await post({ url }, headers).expect(201);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.text).toBe(first.text);
      const { id, secret = '' } = JSON.parse(first.text) as Webhook;
      const path = `/webhooks/${id}/secrets`;
      const rotated = await accounts.client().post(path).set('Idempotency-Key', 'rotate').expect(201);
      const replayed = await accounts.client().post(path).set('Idempotency-Key', 'rotate').expect(201);
      expect(replayed.text).toBe(rotated.text);
      for (const { headers: sent } of [again, rotated, replayed]) {
        expect(sent['cache-control']).toBe('no-store');
      }
      expect((JSON.parse(rotated.text) as Webhook).secret).not.toBe(secret);

      const { rows } = await accounts.admin.query<{ row: string }>(
        'select k::text as row from idempotency_keys k',
      );
      expect(rows).toHaveLength(2);
      for (const { row } of rows) {
        expect(row).not.toMatch(/whsec|example\.com/u);
      }
    });

    it.each([
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'example.com',
      '/relative',
      '',
      'https://',
      'https://user@example.com/',
      'https://user:secret@example.com/',
      'https://:secret@example.com/',
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data/',
      'https://100.64.0.1/',
      'https://0.0.0.0/',
      'https://224.0.0.1/',
      'https://255.255.255.255/',
      'https://192.0.2.1/',
      'https://198.18.0.1/',
      'https://168.63.129.16/',
      'https://3232235777/',
      'https://0xa9fea9fe/',
      'https://0251.0376.0251.0376/',
      'https://10.1/',
      'https://１０.0.0.1/',
      'https://[::]/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[::ffff:a9fe:a9fe]/',
      'https://[::10.0.0.1]/',
      'https://[64:ff9b::10.0.0.1]/',
      'https://[64:ff9b:1::1]/',
      'https://[2002:0a00:0001::]/',
      'https://[2001::1]/',
      'https://[2001:db8::1]/',
      'https://[fc00::1]/',
      'https://[fd00:ec2::254]/',
      'https://[fe80::1]/',
      'https://[fec0::1]/',
      'https://[ff02::1]/',
      'https://[100::1]/',
    ])('answers 422 webhook-url-not-allowed for %s', async (forbidden) => {
      const response = await post({ url: forbidden }).expect(422);
      expect(kindOf(response)).toBe('webhook-url-not-allowed');
    });

    it.each([
      'https://example.com/',
      'https://example.com:8443/a?b=c',
      'https://93.184.215.14/',
      'https://[2606:2800::1]/',
    ])('takes %s', async (allowed) => {
      await accounts
        .client()
        .delete(`/webhooks/${(await create({ url: allowed })).id}`)
        .expect(204);
    });

    it.each([
      'https://localhost/',
      'https://LOCALHOST./',
      'https://a.localhost/',
      'https://127.0.0.1/',
      'http://example.com/',
    ])('answers 422 for %s outside development, and where no network is listed', async (forbidden) => {
      const { addresses } = { addresses: createAddressPolicy() };
      expect(() => checkWebhookUrl(forbidden, { addresses, allowsHttp: false })).toThrow(/The URL/u);
    });

    it.each([
      '{}',
      '[]',
      '{"url":1}',
      '{"url":null}',
      `{"url":"${url}","types":[]}`,
      `{"url":"${url}","types":["account.deleted"]}`,
      `{"url":"${url}","types":"account.created"}`,
      `{"url":"${url}","secret":"whsec_mine"}`,
      `{"url":"${url}","status":"disabled"}`,
      `{"url":"https://example.com/\\u0000"}`,
      `{"url":"${url}?${'a'.repeat(2048)}"}`,
      `{"url":"${url}","description":"${'a'.repeat(256)}"}`,
      `{"url":"${url}","description":"\\u0000"}`,
    ])('answers 400 malformed-body for %s', async (body) => {
      expect(kindOf(await post(body).expect(400))).toBe('malformed-body');
    });

    it('answers 403 without webhooks:write, and reads 403 without webhooks:read', async () => {
      const client = accounts.client({ scopes: ['accounts:read'] });
      await client.post('/webhooks').send(JSON.stringify({ url })).expect(403);
      await client.get('/webhooks').expect(403);
    });

    it('answers 409 webhook-limit-reached for the 101st of a tenant, also to concurrent requests', async () => {
      const globex = accounts.client({ tenant: 'globex' });
      await accounts.admin.query(
        `insert into webhooks (tenant_id, id, url, sealed_secrets, secret_ends, active_since, created_at)
         select 'globex', gen_random_uuid(), $1, '{}', '{}', now(), now() from generate_series(1, 98)`,
        [url],
      );
      const responses = await Promise.all(
        Array.from({ length: 6 }, () => globex.post('/webhooks').send(JSON.stringify({ url }))),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
      expect(responses.filter(({ status }) => status === 409)).toHaveLength(4);
      expect(kindOf(await globex.post('/webhooks').send(JSON.stringify({ url })))).toBe(
        'webhook-limit-reached',
      );
      await accounts.admin.query(`delete from webhooks where tenant_id = 'globex'`);
    });
  });

  describe('GET /webhooks', () => {
    it('pages newest first, by cursor, and knows no other parameter', async () => {
      const { id: older } = await create();
      const { id: newer } = await create();
      const first = await accounts.client().get('/webhooks?limit=1').expect(200);
      const page = JSON.parse(first.text) as { items: Webhook[]; next_cursor: string };
      expect(page.items.map(({ id }) => id)).toEqual([newer]);
      const second = await accounts.client().get(`/webhooks?limit=1&cursor=${page.next_cursor}`).expect(200);
      expect((JSON.parse(second.text) as { items: Webhook[] }).items.map(({ id }) => id)).toEqual([older]);
      expect(first.headers['link']).toContain('rel="next"');
      await accounts.client().get('/webhooks?status=active').expect(400);
      await accounts.client({ tenant: 'globex' }).get(`/webhooks?cursor=${page.next_cursor}`).expect(400);
    });
  });

  describe("another tenant's webhook", () => {
    it('is absent, for every method', async () => {
      const { id } = await create();
      const globex = () => accounts.client({ tenant: 'globex' });
      const retry = `/webhooks/${id}/deliveries/${id}/retries`;
      const responses = [
        await globex().get(`/webhooks/${id}`),
        await globex().patch(`/webhooks/${id}`).send('{"status":"disabled"}'),
        await globex().delete(`/webhooks/${id}`),
        await globex().post(`/webhooks/${id}/secrets`),
        await globex().get(`/webhooks/${id}/deliveries`),
        await globex().post(retry),
      ];
      expect(responses.map((response) => [response.status, kindOf(response)])).toEqual(
        responses.map(() => [404, 'webhook-not-found']),
      );
      expect(JSON.parse((await globex().get('/webhooks').expect(200)).text)).toEqual({
        items: [],
        next_cursor: null,
      });
      expect(JSON.parse((await accounts.client().get(`/webhooks/${id}`).expect(200)).text)).toMatchObject({
        status: 'active',
      });
    });
  });

  describe('PATCH /webhooks/:id', () => {
    it('changes the given members only; null clears', async () => {
      const { id } = await create({ types: ['account.created'], description: 'a' });
      const patch = async (body: string, mediaType = 'application/merge-patch+json') =>
        JSON.parse(
          (
            await accounts
              .client()
              .patch(`/webhooks/${id}`)
              .set('Content-Type', mediaType)
              .send(body)
              .expect(200)
          ).text,
        ) as object;
      expect(await patch('{}')).toMatchObject({ url, types: ['account.created'], description: 'a' });
      expect(await patch('{"types":null}')).toMatchObject({ url, types: null, description: 'a' });
      expect(
        await patch('{"description":null,"url":"https://example.org/"}', 'application/json'),
      ).toMatchObject({
        url: 'https://example.org/',
        description: null,
      });
      expect(await patch('{"status":"disabled"}')).toMatchObject({
        status: 'disabled',
        disabled_reason: 'requested',
      });
      expect(await patch('{"status":"active"}')).toMatchObject({ status: 'active', disabled_reason: null });
    });

    it('forgets the failures of another URL', async () => {
      const { id } = await create();
      await accounts.admin.query('update webhooks set failing_since = now() where id = $1', [id]);
      const patch = async (body: string) =>
        JSON.parse((await accounts.client().patch(`/webhooks/${id}`).send(body).expect(200)).text) as object;
      expect(await patch(`{"url":"${url}"}`)).toMatchObject({ failing_since: expect.any(String) });
      expect(await patch(`{"url":"${url}/new"}`)).toMatchObject({ failing_since: null });
    });

    it('answers 400 and 422 as POST does, 415 with Accept-Patch, and 404', async () => {
      const { id } = await create();
      const patch = (path: string, body: string) => accounts.client().patch(path).send(body);
      await patch(`/webhooks/${id}`, '{"url":null}').expect(400);
      await patch(`/webhooks/${id}`, '{"status":"gone"}').expect(400);
      await patch(`/webhooks/${id}`, '{"url":"https://10.0.0.1/"}').expect(422);
      const unsupported = await accounts
        .client()
        .patch(`/webhooks/${id}`)
        .set('Content-Type', 'text/plain')
        .send('{}')
        .expect(415);
      expect(unsupported.headers['accept-patch']).toBe('application/merge-patch+json, application/json');
      await patch('/webhooks/none', '{}').expect(404);
      await patch('/webhooks/0198a1b2-0000-7000-8000-000000000000', '{}').expect(404);
    });
  });

  describe('DELETE /webhooks/:id', () => {
    it('answers 204, then 404 to everything about it', async () => {
      const { id } = await create();
      const deleted = await accounts.client().delete(`/webhooks/${id}`).expect(204);
      expect(deleted.text).toBe('');
      await accounts.client().delete(`/webhooks/${id}`).expect(404);
      await accounts.client().get(`/webhooks/${id}`).expect(404);
      await accounts.client().get(`/webhooks/${id}/deliveries`).expect(404);
      await accounts.client().post(`/webhooks/${id}/secrets`).expect(404);
      const { rows } = await accounts.admin.query(
        'select sealed_secrets as secrets from webhooks where id = $1',
        [id],
      );
      expect(rows).toEqual([{ secrets: [] }]);
    });
  });

  describe('POST /webhooks/:id/deliveries/:did/retries', () => {
    it('answers 404 delivery-not-found for a delivery that there is not', async () => {
      const { id } = await create();
      for (const delivery of ['none', id]) {
        const response = await accounts
          .client()
          .post(`/webhooks/${id}/deliveries/${delivery}/retries`)
          .expect(404);
        expect(kindOf(response)).toBe('delivery-not-found');
      }
    });
  });

  it('are absent from a service without keys for their secrets', async () => {
    const without = await accounts.another({ webhooks: undefined });
    await without.get('/webhooks').expect(404);
    expect((await without.get('/openapi.json').expect(200)).text).not.toContain('/webhooks');
  });
});
