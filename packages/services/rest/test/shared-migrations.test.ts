// A migration that was applied never changes: its checksum is kept beside it. So the two services with idempotent
// writes and entity tags each have a copy of the SQL that packages/services/rest speaks to, and the copies are held equal here.
import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

function migration(app: string, file: string): string {
  return readFileSync(new URL(`../../../../apps/${app}/migrations/${file}`, import.meta.url), 'utf8');
}

/** From the comment on the epoch to the last statement that does not name the role. */
function storeEpochIn(sql: string): string {
  const [text] = /^-- One random value for this store[^]*?^revoke [^;]*;$/mu.exec(sql) ?? [];
  if (text === undefined) {
    throw new Error('the migration creates no store epoch');
  }
  return text;
}

describe('The migrations of accounts and orders', () => {
  it('create the same idempotency keys, each for its own role', () => {
    const accounts = migration('accounts', '0003-idempotency.sql');
    expect(accounts).toContain('to meridian_accounts;');
    expect(migration('orders', '0003-idempotency.sql')).toBe(
      accounts.replaceAll('meridian_accounts', 'meridian_orders'),
    );
  });

  it('create the same store epoch', () => {
    expect(storeEpochIn(migration('orders', '0002-store-epoch.sql'))).toBe(
      storeEpochIn(migration('accounts', '0001-accounts.sql')),
    );
  });
});
