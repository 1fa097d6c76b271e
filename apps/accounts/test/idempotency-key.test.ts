import { describe, expect, it } from '@jest/globals';

import { useAccounts } from './running-accounts.ts';

/** From the exclamation mark, which comes first, to the tilde. */
const everyVisibleCharacter = Array.from({ length: 94 }, (_, index) =>
  String.fromCodePoint(0x21 + index),
).join('');

describe('An Idempotency-Key', () => {
  const accounts = useAccounts();

  const create = (key: string, body = '{"balance_minor_units":5}', path = '/accounts') =>
    accounts.client().post(path).set('Idempotency-Key', key).send(body);
  const countAccounts = async () => {
    const { rows } = await accounts.admin.query<{ count: string }>('select count(*) from accounts');
    return Number(rows[0]?.count);
  };

  it('repeats the stored response with Idempotent-Replayed: true, and creates nothing more', async () => {
    const first = await create('replay').expect(201);
    const before = await countAccounts();
    const second = await create('replay').expect(201);

    expect(await countAccounts()).toBe(before);
    expect(second.text).toBe(first.text);
    for (const name of ['location', 'etag', 'content-type']) {
      expect(second.headers[name]).toBe(first.headers[name]);
    }
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['request-id']).not.toBe(first.headers['request-id']);
  });

  it.each([
    ['quoted', '"quoted"'],
    [String.raw`a"quote"and\a\backslash`, String.raw`"a\"quote\"and\\a\\backslash"`],
    [everyVisibleCharacter, `"${everyVisibleCharacter.replaceAll(/["\\]/g, String.raw`\$&`)}"`],
    ['x'.repeat(255), `"${'x'.repeat(255)}"`],
  ])('is the same key %s, bare or quoted', async (bare, quoted) => {
    await create(bare).expect(201);
    const again = await create(quoted).expect(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('answers 422 idempotency-key-reused to the same key with another body', async () => {
    await create('reused').expect(201);
    const response = await create('reused', '{"balance_minor_units":6}').expect(422);
    expect(response.text).toContain('/problems/idempotency-key-reused');
  });

  it('compares paths decoded, so that a transfer is made once', async () => {
    const [from, to] = [await accounts.create({ balance: 100n }), await accounts.create({})];
    const body = `{"to_account_id":"${to.id}","amount_minor_units":10}`;
    const spellings = [from.id, from.id.replace('a', '%61'), from.id.replace('-', '%2D')];
    const replayed: unknown[] = [];
    for (const id of spellings) {
      const { headers } = await create('spelled', body, `/accounts/${id}/transfers`).expect(201);
      replayed.push(headers['idempotent-replayed']);
    }
    expect(replayed).toEqual([undefined, 'true', 'true']);
    await accounts.client().get(`/accounts/${from.id}`).expect(200, { id: from.id, balance_minor_units: 90 });
  });

  it('stores a 422, and no other problem', async () => {
    const [from, to] = [await accounts.create({ balance: 1n }), await accounts.create({})];
    const path = `/accounts/${from.id}/transfers`;
    const body = `{"to_account_id":"${to.id}","amount_minor_units":2}`;
    await create('refused', body, path).expect(422);
    await accounts.put(from.id, from.etag, 9).expect(200);
    const replayed = await create('refused', body, path).expect(422);
    expect(replayed.text).toContain('/problems/insufficient-funds');
    expect(replayed.headers['idempotent-replayed']).toBe('true');

    await create('conflict', '{"id":"taken","balance_minor_units":1}').expect(201);
    await create('later', '{"id":"taken","balance_minor_units":1}').expect(409);
    await accounts.admin.query(`delete from accounts where id = 'taken'`);
    await create('later', '{"id":"taken","balance_minor_units":1}').expect(201);
  });

  it('gives many requests at once one effect', async () => {
    const before = await countAccounts();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => create('at-once').then((response) => response)),
    );
    expect(await countAccounts()).toBe(before + 1);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ headers }) => headers['location'])).size).toBe(1);
  });

  it('answers 409 idempotency-key-in-flight when the first request has not ended within a second', async () => {
    const { id } = await accounts.create({});
    const to = await accounts.create({});
    const path = `/accounts/${id}/transfers`;
    const body = `{"to_account_id":"${to.id}","amount_minor_units":1}`;
    // The first request waits for the row of the account.
    const other = await accounts.beginWrite(id);
    const first = create('in-flight', body, path).then(({ status }) => status);
    await accounts.untilBlocked();

    const second = await create('in-flight', body, path).expect(409);
    expect(second.text).toContain('/problems/idempotency-key-in-flight');
    await other.commit();
    expect(await first).toBe(201);
  });

  it('is scoped to tenant, caller, method and path', async () => {
    await create('whose').expect(201);
    const [from, to] = [await accounts.create({ balance: 1n }), await accounts.create({})];
    const others = [
      await accounts
        .client({ tenant: 'globex' })
        .post('/accounts')
        .set('Idempotency-Key', 'whose')
        .send('{"balance_minor_units":6}'),
      await accounts
        .client({ subject: 'bob' })
        .post('/accounts')
        .set('Idempotency-Key', 'whose')
        .send('{"balance_minor_units":7}'),
      await create(
        'whose',
        `{"to_account_id":"${to.id}","amount_minor_units":1}`,
        `/accounts/${from.id}/transfers`,
      ),
    ];
    for (const { status, headers } of others) {
      expect(status).toBe(201);
      expect(headers).not.toHaveProperty('idempotent-replayed');
    }
  });

  it('is forgotten after 24 hours', async () => {
    await create('old').expect(201);
    await accounts.admin.query(
      `update idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'`,
    );
    const again = await create('old', '{"balance_minor_units":6}').expect(201);
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
  });

  it.each(['""', '"', 'a b', 'x'.repeat(256), `"${'x'.repeat(256)}"`, '"unended', '"a"b"', String.raw`"a\"`])(
    'is answered with 400 invalid-parameter when it is %s',
    async (key) => {
      const response = await create(key).expect(400);
      expect(response.text).toContain('/problems/invalid-parameter');
    },
  );
});
