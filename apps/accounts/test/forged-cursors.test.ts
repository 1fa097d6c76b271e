// A cursor is good for the request that it came from, with another page size at most: on every collection alike.
import { beforeAll, describe, expect, it } from '@jest/globals';

import { useAccounts } from './running-accounts.ts';

/** The account that has it all, and each collection: its path, filters of it, and the parameter of its cursor. */
const collections = [
  {
    name: 'accounts',
    path: '/accounts',
    filters: ['', 'created_after=2026-01-01T00:00:00Z'],
    parameter: 'cursor',
  },
  {
    name: 'transfers',
    path: '/transfers',
    filters: ['', 'account_id=rich', 'reference=rent'],
    parameter: 'cursor',
  },
  { name: 'entries', path: '/accounts/rich/entries', filters: [''], parameter: 'cursor' },
  { name: 'entries of another account', path: '/accounts/poor/entries', filters: [''], parameter: 'cursor' },
  { name: 'holds', path: '/accounts/rich/holds', filters: ['', 'status=pending'], parameter: 'cursor' },
  { name: 'events', path: '/events', filters: ['', 'type=account.created'], parameter: 'after' },
] as const;
const requests = collections.flatMap(({ filters, ...collection }) =>
  filters.map((filter) => ({ ...collection, filter, name: `${collection.name} ${filter}`.trim() })),
);

describe('A cursor', () => {
  const accounts = useAccounts();
  const cursors = new Map<string, string>();
  beforeAll(async () => {
    for (const tenant of ['acme', 'globex'] as const) {
      const post = (path: string, body: string) =>
        accounts.client({ tenant }).post(path).send(body).expect(201);
      for (const id of ['rich', 'poor']) {
        await post('/accounts', `{"id":"${id}","balance_minor_units":1000}`);
      }
      for (let count = 0; count < 3; count += 1) {
        await post(
          '/accounts/rich/transfers',
          '{"to_account_id":"poor","amount_minor_units":1,"reference":"rent"}',
        );
        await post('/accounts/rich/holds', '{"amount_minor_units":1}');
      }
    }
    for (const { name, path, filter } of requests) {
      const { text } = await accounts.get(`${path}?limit=1&${filter}`.replace(/&$/u, '')).expect(200);
      cursors.set(name, (JSON.parse(text) as { next_cursor: string }).next_cursor);
    }
  });

  const statusOf = async (
    { path, filter, parameter }: (typeof requests)[number],
    cursor: string,
    tenant = 'acme',
  ) => {
    const client = accounts.client({ tenant: tenant === 'acme' ? 'acme' : 'globex' });
    const { status, text } = await client.get(
      `${path}?limit=2&${filter === '' ? '' : `${filter}&`}${parameter}=${cursor}`,
    );
    expect(status === 200 || text.includes('/problems/invalid-cursor')).toBe(true);
    return status;
  };

  it.each(requests)('of $name goes on there, and with no other collection or filter', async (request) => {
    const cursor = cursors.get(request.name) ?? '';
    for (const other of requests) {
      expect({ other: other.name, status: await statusOf(other, cursor) }).toEqual({
        other: other.name,
        status: other.name === request.name ? 200 : 400,
      });
    }
  });

  it.each(requests)('of $name is of its tenant, and breaks with each of its bytes', async (request) => {
    const cursor = cursors.get(request.name) ?? '';
    expect(await statusOf(request, cursor, 'globex')).toBe(400);
    const bytes = Buffer.from(cursor, 'base64url');
    for (const place of [0, 1, 12, 13, bytes.length - 17, bytes.length - 1]) {
      const forged = Buffer.from(bytes);
      forged[place] = (bytes[place] ?? 0) ^ 1;
      expect(await statusOf(request, forged.toString('base64url'))).toBe(400);
    }
    for (const forged of [cursor.slice(0, -4), `${cursor}AAAA`, `${cursor}=`, cursor.slice(4), 'AQ', '1']) {
      expect(await statusOf(request, forged)).toBe(400);
    }
  });

  it.each(requests)('of $name is invalid once its key is gone', async ({ name, path, filter, parameter }) => {
    const other = await accounts.another({ cursorKeys: ['another key, which is as long as it has to be'] });
    await other
      .get(`${path}?${filter === '' ? '' : `${filter}&`}${parameter}=${cursors.get(name)}`)
      .expect(400);
  });
});
