import { beforeAll, describe, expect, it } from '@jest/globals';
import { userIdOf } from '@meridian/subgraph';
import { startSubgraph, useStarted } from '@meridian/subgraph/test-support';

import { createApp } from '../src/app.ts';
import { createUserStore } from '../src/store/user-store.ts';

/** The user whom a subject of a tenant is. */
const userOf = (tenantId: string, subject: string) => ({
  id: userIdOf({ tenantId, issuer: 'http://meridian.localhost', subject }),
  name: `${subject} of ${tenantId}`,
  subject,
});

describe('The users subgraph:', () => {
  const users = useStarted(() =>
    startSubgraph({ createApp, migrations: new URL('../migrations/', import.meta.url) }),
  );
  beforeAll(async () => {
    const store = createUserStore(users.database);
    await store.insertMany('acme', [userOf('acme', 'alice'), userOf('acme', 'bob')]);
    await store.insertMany('globex', [userOf('globex', 'alice')]);
  });

  describe('Query.me', () => {
    it("is the user of the request's token, in the token's tenant", async () => {
      const document = '{ me { id name subject } }';
      expect(await users.ask(document)).toEqual({ data: { me: userOf('acme', 'alice') } });
      expect(await users.ask(document, {}, { subject: 'bob' })).toEqual({
        data: { me: userOf('acme', 'bob') },
      });
      expect(await users.ask(document, {}, { tenant: 'globex' })).toEqual({
        data: { me: userOf('globex', 'alice') },
      });
    });

    it('is null without an error for a caller who is not a user', async () => {
      expect(await users.ask('{ me { id } }', {}, { subject: 'nobody' })).toEqual({ data: { me: null } });
    });

    it('needs no scope', async () => {
      expect(await users.ask('{ me { name } }', {}, { scopes: [] })).toMatchObject({ data: { me: {} } });
    });
  });

  describe('User.subject', () => {
    it('is null for a user whose subject has not been recorded', async () => {
      const id = userIdOf({ tenantId: 'acme', issuer: 'http://meridian.localhost', subject: 'carol' });
      await createUserStore(users.database).insertMany('acme', [{ id, name: 'Carol', subject: null }]);
      expect(await users.entities('User', [{ id }], '{ name subject }')).toEqual({
        data: { _entities: [{ name: 'Carol', subject: null }] },
      });
    });

    it('needs the scope orders:read', async () => {
      const { data, errors } = await users.ask('{ me { name subject } }', {}, { scopes: ['orders:write'] });
      expect(data).toEqual({ me: { name: 'alice of acme', subject: null } });
      expect(errors).toMatchObject([
        { path: ['me', 'subject'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } },
      ]);
    });
  });

  it.each(['users'])(
    "%s uses statements that show no other tenant's rows even without a tenant condition",
    async (table) => {
      expect(await users.tenantsSeenIn(table)).toEqual([]);
      expect(await users.tenantsSeenIn(table, 'acme')).toEqual(['acme']);
      expect(await users.tenantsSeenIn(table, 'globex')).toEqual(['globex']);
    },
  );

  it('_entities answers in the order of the representations, with null for a missing user, with one statement', async () => {
    const [alice, bob] = [userOf('acme', 'alice'), userOf('acme', 'bob')];
    const keys = [bob, userOf('globex', 'alice'), alice, { id: 'u1' }, bob].map(({ id }) => ({ id }));
    const { response, statements } = await users.counting(() =>
      users.entities('User', keys, '{ id name subject }'),
    );
    expect(response).toEqual({ data: { _entities: [bob, null, alice, null, bob] } });
    expect(statements).toBe(1);
  });

  it('_entities reads 501 users in batches of at most 500', async () => {
    const keys = Array.from({ length: 501 }, (_, index) => ({ id: userOf('acme', `subject ${index}`).id }));
    const { response, statements } = await users.counting(() => users.entities('User', keys, '{ id }'));
    expect(response).toEqual({ data: { _entities: keys.map(() => null) } });
    expect(statements).toBe(2);
  });
});
