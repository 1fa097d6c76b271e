import type { Database } from '@meridian/database';
import { identifiersAmong } from '@meridian/subgraph';

import type { User } from '../users/user.ts';

/** Users in PostgreSQL, one tenant's at a time. */
export function createUserStore(database: Database) {
  const { knex } = database;

  return {
    /** The users who exist among these identifiers, in no particular order. */
    findMany: (tenantId: string, ids: readonly string[], signal: AbortSignal): Promise<User[]> => {
      const query = knex.raw(usersById, [tenantId, identifiersAmong(ids)]);
      return database.asTenant(tenantId, query, { signal, readOnly: true });
    },

    /** Adds users; existing ones stay as they are. */
    async insertMany(tenantId: string, users: readonly User[]): Promise<void> {
      const rows = users.map(({ id, name, subject }) => ({ tenant_id: tenantId, id, name, subject }));
      await database.asTenant(tenantId, knex('users').insert(rows).onConflict().ignore());
    },
  };
}

/** Written as text, because entity lookups need it: knex takes three times as long to build it each time. */
const usersById = 'select id, name, subject from users where tenant_id = ? and id = any (?::uuid[])';
