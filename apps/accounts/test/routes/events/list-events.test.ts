import { describe, expect, it } from '@jest/globals';
import { createCursors } from '@meridian/rest';
import { Client } from 'pg';

import { testKey, useAccounts } from '../../running-accounts.ts';

interface Event {
  id: string;
  type: string;
  subject: string;
  time: string;
  actor?: string;
  data: Record<string, unknown>;
}

interface Page {
  items: Event[];
  next_cursor: string;
}

describe('GET /events', () => {
  const accounts = useAccounts();

  const read = async (query: string): Promise<Page> =>
    JSON.parse((await accounts.client().get(`/events?${query}`).expect(200)).text) as Page;
  /** The place after all events. */
  async function endOfLog(filter = ''): Promise<string> {
    for (let cursor = ''; ;) {
      const page = await read(`limit=100${filter}${cursor}`);
      cursor = `&after=${page.next_cursor}`;
      if (page.items.length === 0) {
        return page.next_cursor;
      }
    }
  }
  const post = async (path: string, body = '') => {
    const response = await accounts.client().post(path).send(body).expect(201);
    return response.headers['location'] ?? '';
  };

  it('begins at the end of the log with after=now', async () => {
    await post('/accounts', '{"balance_minor_units":1}');
    for (const filter of ['', '&type=account.created']) {
      const { items, next_cursor: start } = await read(`after=now${filter}`);
      expect(items).toEqual([]);
      const next = await post('/accounts', '{"balance_minor_units":2}');
      expect((await read(`after=${start}${filter}`)).items.map(({ subject }) => subject)).toEqual([next]);
      expect((await read(`after=now${filter}`)).items).toEqual([]);
    }
  });

  it('tells every change once, oldest first, as CloudEvents with the resource after the change', async () => {
    const start = await endOfLog();
    const from = await post('/accounts', '{"balance_minor_units":9223372036854775807}');
    const to = await post('/accounts', '{"balance_minor_units":0}');
    const account = await accounts.client().get(from).expect(200);
    await accounts
      .client({ subject: 'bob' })
      .put(from)
      .set('If-Match', account.headers['etag'] ?? '')
      .send('{"balance_minor_units":100}')
      .expect(200);
    const id = to.slice('/accounts/'.length);
    const transfer = await post(
      `${from}/transfers`,
      `{"to_account_id":"${id}","amount_minor_units":7,"reference":"rent"}`,
    );
    const before = JSON.parse((await accounts.client().get(transfer).expect(200)).text) as object;
    const reversal = await post(`${transfer}/reversals`);
    const held = await post(`${from}/holds`, '{"amount_minor_units":9}');
    const captured = await post(`${held}/captures`, `{"to_account_id":"${id}"}`);
    const other = await post(`${from}/holds`, '{"amount_minor_units":1}');
    await post(`${other}/releases`);

    const { items } = await read(`after=${start}`);
    expect(items.map(({ type, subject, actor }) => [type, subject, actor])).toEqual([
      ['account.created', from, 'alice'],
      ['account.created', to, 'alice'],
      ['account.updated', from, 'bob'],
      ['transfer.completed', transfer, 'alice'],
      ['transfer.completed', reversal, 'alice'],
      ['transfer.reversed', transfer, 'alice'],
      ['hold.created', held, 'alice'],
      ['transfer.completed', captured, 'alice'],
      ['hold.captured', held, 'alice'],
      ['hold.created', other, 'alice'],
      ['hold.released', other, 'alice'],
    ]);
    const text = (await accounts.client().get(`/events?after=${start}&limit=1`).expect(200)).text;
    expect(text).toContain('9223372036854775807');
    // The data are what the resource reads as, after the last change of each.
    for (const path of [transfer, reversal, held, other, captured]) {
      const last = items.findLast(({ subject }) => subject === path);
      expect(last?.data).toEqual(JSON.parse((await accounts.client().get(path).expect(200)).text));
    }
    expect(items[3]?.data).toEqual(before);
    expect(items[0]).toMatchObject({
      specversion: '1.0',
      source: '/accounts',
      datacontenttype: 'application/json',
      tenantid: 'acme',
    });
    expect(new Set(items.map((event) => event.id)).size).toBe(items.length);
    expect(items.map(({ time }) => time)).toEqual(items.map(({ time }) => time).toSorted());
  });

  it('goes on from its cursor, in pages, and ends with an empty one whose cursor stays good', async () => {
    const start = await endOfLog();
    const paths = [];
    for (let count = 0; count < 5; count += 1) {
      paths.push(await post('/accounts', '{"balance_minor_units":1}'));
    }
    const first = await read(`after=${start}&limit=3`);
    const second = await read(`after=${first.next_cursor}&limit=3`);
    const third = await read(`after=${second.next_cursor}&limit=3`);
    expect([first, second, third].map(({ items }) => items.map(({ subject }) => subject))).toEqual([
      paths.slice(0, 3),
      paths.slice(3),
      [],
    ]);
    const next = await post('/accounts', '{"balance_minor_units":1}');
    expect((await read(`after=${third.next_cursor}`)).items.map(({ subject }) => subject)).toEqual([next]);
    // The same cursor again tells the same.
    expect((await read(`after=${start}&limit=3`)).items).toEqual(first.items);
  });

  it('misses no event of a transaction that began earlier and committed later', async () => {
    const start = await endOfLog();
    const slow = new Client(accounts.storeUrl);
    await slow.connect();
    await slow.query('begin');
    await slow.query(`set local meridian.tenant_id = 'acme'`);
    await slow.query(`select create_account('acme', 'begins-first', 1)`);
    await post('/accounts', '{"id":"commits-first","balance_minor_units":1}');
    const first = await read(`after=${start}`);
    await slow.query('commit');
    await slow.end();
    const second = await read(`after=${first.next_cursor}`);
    expect([first, second].map(({ items }) => items.map(({ subject }) => subject))).toEqual([
      ['/accounts/commits-first'],
      ['/accounts/begins-first'],
    ]);
  });

  it('tells nothing of a change that was not committed', async () => {
    const start = await endOfLog();
    await accounts
      .post('/accounts/none/transfers', '{"to_account_id":"x","amount_minor_units":1}')
      .expect(404);
    const writer = new Client(accounts.storeUrl);
    await writer.connect();
    await writer.query('begin');
    await writer.query(`set local meridian.tenant_id = 'acme'`);
    await writer.query(`select create_account('acme', 'rolled-back', 1)`);
    await writer.query('rollback');
    await writer.end();
    expect((await read(`after=${start}`)).items).toEqual([]);
  });

  it('tells each of many readers and writers at once everything, in one order', async () => {
    const start = await endOfLog();
    let isOver = false;
    async function follow(): Promise<string[]> {
      const seen: string[] = [];
      for (let cursor = start, empty = 0; empty < 2;) {
        const page = await read(`after=${cursor}&limit=7`);
        cursor = page.next_cursor;
        seen.push(...page.items.map(({ subject }) => subject));
        empty = isOver && page.items.length === 0 ? empty + 1 : 0;
      }
      return seen;
    }
    const readers = [follow(), follow(), follow()];
    const made = await Promise.all(
      Array.from({ length: 60 }, () => post('/accounts', '{"balance_minor_units":1}')),
    );
    isOver = true;
    const [first = [], ...others] = await Promise.all(readers);
    expect(first.toSorted()).toEqual(made.toSorted());
    for (const other of others) {
      expect(other).toEqual(first);
    }
  });

  it('tells that a hold has expired, once, without a write', async () => {
    const start = await endOfLog();
    const account = await post('/accounts', '{"balance_minor_units":5}');
    const hold = await post(`${account}/holds`, '{"amount_minor_units":5}');
    const expiry = new Date().toISOString();
    await accounts.admin.query('update holds set expires_at = $2 where id = $1', [
      hold.slice('/holds/'.length),
      expiry,
    ]);
    const { items, next_cursor: end } = await read(
      `after=${start}&type=hold.expired`.replace(`after=${start}&`, ''),
    );
    const expired = items.filter(({ subject }) => subject === hold);
    expect(expired).toHaveLength(1);
    expect(expired[0]).not.toHaveProperty('actor');
    expect(expired[0]?.data).toEqual(JSON.parse((await accounts.client().get(hold).expect(200)).text));
    expect((await read(`after=${end}&type=hold.expired`)).items).toEqual([]);
  });

  it('filters by type and by subject; a cursor is of its filter', async () => {
    const account = await post('/accounts', '{"balance_minor_units":5}');
    const hold = await post(`${account}/holds`, '{"amount_minor_units":5}');
    await post(`${hold}/releases`);
    const page = await read(`subject=${hold}`);
    expect(page.items.map(({ type }) => type)).toEqual(['hold.created', 'hold.released']);
    expect((await read(`subject=${hold}%00`)).items).toEqual([]);
    const types = new Set((await read('type=account.created&limit=100')).items.map(({ type }) => type));
    expect(types).toEqual(new Set(['account.created']));
    await accounts.client().get(`/events?after=${page.next_cursor}`).expect(400);
    for (const query of ['type=account.deleted', 'limit=0', 'cursor=x', 'after=x', 'after=']) {
      await accounts.client().get(`/events?${query}`).expect(400);
    }
  });

  /** As if the event of a resource were older, by periods of ten days. */
  const age = (subject: string, periods: number) =>
    accounts.admin.query(
      `with moved as (delete from event_log where subject = $1 returning *)
       insert into event_log select tenant_id, mod(slot + 5 - $2::integer, 5), position, id, type, subject, time, data,
         actor_issuer, actor_subject from moved`,
      [subject, periods],
    );

  it('keeps an event for 30 days at least, and drops ten days of them at a time', async () => {
    const [recent, old] = [
      await post('/accounts', '{"balance_minor_units":5}'),
      await post('/accounts', '{"balance_minor_units":5}'),
    ];
    await endOfLog();
    await age(recent, 3);
    await age(old, 4);
    await accounts.admin.query('select drop_old_events()');
    expect((await read(`subject=${recent}`)).items).toHaveLength(1);
    expect((await read(`subject=${old}`)).items).toEqual([]);
  });

  it('keeps an unread event for 30 days at least, and drops it then', async () => {
    const recent = await post('/accounts', '{"balance_minor_units":5}');
    const old = await post('/accounts', '{"balance_minor_units":5}');
    const ageUnread = (subject: string, periods: number) =>
      accounts.admin.query(
        'update event_outbox set slot = mod(slot + 5 - $2::integer, 5) where subject = $1',
        [subject, periods],
      );
    await ageUnread(recent, 3);
    await ageUnread(old, 4);
    const service = new Client({ connectionString: accounts.storeUrl });
    await service.connect();
    await service.query('select drop_old_events()');
    await service.end();
    expect((await read(`subject=${recent}`)).items).toHaveLength(1);
    expect((await read(`subject=${old}`)).items).toEqual([]);
  });

  it('answers 410 cursor-expired to a cursor that is older than the log', async () => {
    const cursors = createCursors({ keys: [testKey] });
    const scope = { tenantId: 'acme', collection: '/events', filter: '' };
    const now = Math.floor(Date.now() / 864_000_000);
    const expired = cursors.seal(scope, ['1', String(now - 4)]);
    const response = await accounts.client().get(`/events?after=${expired}`).expect(410);
    expect(response.text).toContain('/problems/cursor-expired');
    await accounts.get(`/events?after=${cursors.seal(scope, ['1', String(now - 3)])}`).expect(200);
  });

  it('is of its tenant alone, and takes the scope events:read', async () => {
    await post('/accounts', '{"balance_minor_units":5}');
    const foreign = await accounts.client({ tenant: 'globex' }).get('/events').expect(200);
    expect((JSON.parse(foreign.text) as Page).items).toEqual([]);
    await accounts.get('/events', { scopes: ['accounts:read'] }).expect(403);
  });
});
