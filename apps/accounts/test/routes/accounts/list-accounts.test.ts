import { beforeAll, describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

interface Page {
  items: { id: string }[];
  next_cursor: string | null;
}

describe('GET /accounts', () => {
  const accounts = useAccounts();
  const newestFirst: string[] = [];
  beforeAll(async () => {
    for (let count = 0; count < 120; count += 1) {
      newestFirst.unshift((await accounts.create({ balance: BigInt(count) })).id);
    }
    // Accounts of the same microsecond differ by their identifiers.
    await accounts.admin.query('update accounts set created_at = created_at::timestamptz(3)');
    const { rows } = await accounts.admin.query<{ id: string }>(
      'select id from accounts order by created_at desc, id desc',
    );
    newestFirst.splice(0, newestFirst.length, ...rows.map(({ id }) => id));
  });

  const get = async (path: string): Promise<Page> =>
    JSON.parse((await accounts.client().get(path).expect(200)).text) as Page;

  async function walk(path: string, betweenPages: () => Promise<unknown> = () => Promise.resolve()) {
    const ids: string[] = [];
    for (let next: string | null = path; next !== null;) {
      const page: Page = await get(next);
      ids.push(...page.items.map(({ id }) => id));
      next = page.next_cursor === null ? null : `${path}&cursor=${page.next_cursor}`;
      await betweenPages();
    }
    return ids;
  }

  it('answers 50 accounts, newest first, when no limit is given', async () => {
    const response = await accounts.client().get('/accounts').expect(200);
    const page = JSON.parse(response.text) as Page;
    expect(page.items.map(({ id }) => id)).toEqual(newestFirst.slice(0, 50));
    expect(page.items[0]).toEqual({ id: newestFirst[0], balance_minor_units: expect.any(Number) });
    expect(response.headers['cache-control']).toBe('private, max-age=0, must-revalidate');
    expect(response.headers['link']).toBe(`</accounts?cursor=${page.next_cursor}>; rel="next"`);
  });

  it.each([
    ['a parameter that it does not take', 'created_befor=2026-01-01T00:00:00Z', 'created_befor'],
    [
      'a filter given twice',
      'created_after=2026-01-01T00:00:00Z&created_after=2027-01-01T00:00:00Z',
      'more than once',
    ],
    ['a date without a time', 'created_after=2026-01-01', 'RFC 3339'],
    ['a time of no zone', 'created_after=2026-01-01T00:00:00', 'RFC 3339'],
    ['a day that no month has', 'created_after=2026-02-30T00:00:00Z', 'RFC 3339'],
    ['the year 0', 'created_after=0000-01-01T00:00:00Z', 'RFC 3339'],
    ['id with limit', 'id=a&limit=1', 'limit does not go with id'],
    ['id with cursor', 'id=a&cursor=x', 'cursor does not go with id'],
    ['101 identifiers', Array.from({ length: 101 }, (_, index) => `id=${index}`).join('&'), 'more than 100'],
  ])('answers 400 invalid-parameter to %s', async (_what, query, detail) => {
    const response = await accounts.client().get(`/accounts?${query}`).expect(400);
    expect(response.text).toContain('/problems/invalid-parameter');
    expect(response.text).toContain(detail);
  });

  it('answers the accounts of the given identifiers in their order, null for each that is missing', async () => {
    const [first, second] = newestFirst;
    const response = await accounts
      .get(`/accounts?id=${second}&id=none&id=${first}&id=%00&id=${second}`)
      .expect(200);
    const items = (JSON.parse(response.text) as { items: readonly ({ id: string } | null)[] }).items;
    expect(items.map((item) => item?.id ?? null)).toEqual([second, null, first, null, second]);
    expect(response.text).not.toContain('next_cursor');
    const foreign = await accounts.client({ tenant: 'globex' }).get(`/accounts?id=${first}`).expect(200);
    expect(foreign.text).toBe('{"items":[null]}');
  });

  it('lists the accounts created from a moment on and before another, in pages of that filter', async () => {
    const { rows } = await accounts.admin.query<{ id: string; at: string }>(
      `select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
       from accounts where tenant_id = 'acme' order by created_at desc, id desc`,
    );
    const [newer, older] = [rows[3], rows[9]];
    const filter = `created_after=${older?.at}&created_before=${newer?.at}`;
    expect(await walk(`/accounts?limit=4&${filter}`)).toEqual(rows.slice(4, 10).map(({ id }) => id));
    const page = await get(`/accounts?limit=4&${filter}`);
    await accounts.client().get(`/accounts?cursor=${page.next_cursor}`).expect(400);
  });

  it('walks through all accounts, each once, and ends with next_cursor null and no Link', async () => {
    expect(await walk('/accounts?limit=7')).toEqual(newestFirst);
    const last = await accounts.client().get('/accounts?limit=100').expect(200);
    const end = await accounts.client().get(nextLinkOf(last.headers['link'])).expect(200);
    expect(JSON.parse(end.text)).toMatchObject({ next_cursor: null });
    expect(end.headers).not.toHaveProperty('link');
  });

  it('neither skips nor repeats an account when others are created and removed between pages', async () => {
    let made = 0;
    const ids = await walk('/accounts?limit=10', async () => {
      await accounts.post('/accounts', `{"id":"late-${(made += 1)}","balance_minor_units":1}`).expect(201);
      await accounts.admin.query(`delete from accounts where id = $1`, [`late-${made - 1}`]);
    });
    expect(ids.filter((id) => !id.startsWith('late-'))).toEqual(newestFirst);
    await accounts.admin.query(`delete from accounts where id like 'late-%'`);
  });

  it('coerces a limit over 100 to 100', async () => {
    expect((await get('/accounts?limit=1000')).items).toHaveLength(100);
    expect((await get('/accounts?limit=99999999999999999999')).items).toHaveLength(100);
  });

  it.each(['0', '-1', '1.5', 'ten', '', '1&limit=2', '%00'])(
    'answers 400 invalid-parameter to limit=%s',
    async (limit) => {
      const response = await accounts.client().get(`/accounts?limit=${limit}`).expect(400);
      expect(response.text).toContain('/problems/invalid-parameter');
    },
  );

  it.each(['', 'x', '%00', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
    'answers 400 invalid-cursor to cursor=%s',
    async (cursor) => {
      const response = await accounts.client().get(`/accounts?cursor=${cursor}`).expect(400);
      expect(response.text).toContain('/problems/invalid-cursor');
    },
  );

  it('shows a tenant only its own accounts', async () => {
    const response = await accounts.client({ tenant: 'globex' }).get('/accounts').expect(200);
    expect(response.text).toBe('{"items":[],"next_cursor":null}');
  });

  it('answers 406 not-acceptable to anything but JSON', async () => {
    await accounts.client().get('/accounts').set('Accept', 'text/csv').expect(406);
  });

  it('reads a page anywhere in the collection from the index', async () => {
    await accounts.admin.query('analyze accounts');
    await accounts.admin.query('begin');
    await accounts.admin.query('set local enable_seqscan = off');
    const { rows } = await accounts.admin.query<{ 'QUERY PLAN': string }>(
      `explain select id from accounts
       where tenant_id = 'acme' and (created_at, id) < (now(), 'x') order by created_at desc, id desc limit 51`,
    );
    await accounts.admin.query('rollback');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('accounts_newest_first');
    expect(plan).toMatch(/Index Cond: .*ROW\(created_at, id\) < ROW/);
    expect(plan).not.toContain('Sort');
  });
});

function nextLinkOf(link: string | undefined): string {
  return /^<(?<path>[^>]+)>; rel="next"$/.exec(link ?? '')?.groups?.['path'] ?? '';
}
