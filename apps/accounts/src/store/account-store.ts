// Accounts in PostgreSQL. The compare-and-swap lives here: it is the correctness boundary of every write.
// Spec: States and transitions.
import { StoreTimeout } from '@meridian/database';
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { isAccountId } from '../accounts/account.ts';
import type { Account, ListedAccount } from '../accounts/account.ts';
import type { PagePosition } from '../pagination/keyset-page.ts';

export interface AccountStore {
  /** The tenant's account, or undefined. */
  readonly find: (tenantId: string, id: string, signal: StopSignal) => Promise<Account | undefined>;
  /** At most `limit` of the tenant's accounts, newest first, after a position. */
  readonly list: (
    tenantId: string,
    page: { readonly behind: PagePosition | undefined; readonly limit: number },
    signal: StopSignal,
  ) => Promise<ListedAccount[]>;
  /**
   * A new account at revision 1.
   *
   * @throws {Problem} `account-already-exists`
   */
  readonly create: (
    tenantId: string,
    id: string,
    balanceMinorUnits: bigint,
    signal: StopSignal,
  ) => Promise<Account>;
  /**
   * Writes the balance, and adds 1 to the revision, if that is still `expected`'s. `'conflict'`: another writer was
   * first, and nothing was written.
   *
   * @throws {Problem} `internal` when the store did not respond in time; nothing was written then
   */
  readonly swap: (
    tenantId: string,
    expected: Account,
    balanceMinorUnits: bigint,
    signal: StopSignal,
  ) => Promise<Account | 'conflict'>;
}

interface AccountRow {
  id: string;
  balance_minor_units: bigint;
  revision: bigint;
  created_at: string;
  store_epoch: string;
}

export function createAccountStore(statements: Statements): AccountStore {
  return {
    async find(tenantId, id, signal) {
      if (!isAccountId(id)) {
        return undefined;
      }
      const [row] = await statements.query<AccountRow>('select * from find_account($1, $2)', [tenantId, id], {
        tenantId,
        signal,
        readOnly: true,
      });
      return row && accountOf(row);
    },

    async list(tenantId, { behind, limit }, signal) {
      // Only the columns that a page shows: each value of a row takes time of the event loop.
      const rows = await statements.query<Pick<AccountRow, 'id' | 'balance_minor_units' | 'created_at'>>(
        'select id, balance_minor_units, created_at from list_accounts($1, $2, $3, $4)',
        [tenantId, behind?.createdAt ?? null, behind?.id ?? null, limit],
        { tenantId, signal, readOnly: true },
      );
      return rows.map((row) => ({
        id: row.id,
        balanceMinorUnits: row.balance_minor_units,
        createdAt: row.created_at,
      }));
    },

    async create(tenantId, id, balanceMinorUnits, signal) {
      const [row] = await statements.query<AccountRow>(
        'select * from create_account($1, $2, $3)',
        [tenantId, id, balanceMinorUnits],
        { tenantId, signal },
      );
      if (row === undefined) {
        throw problem('account-already-exists', `There is already an account "${id}".`);
      }
      return accountOf(row);
    },

    async swap(tenantId, expected, balanceMinorUnits, signal) {
      const [row] = await statements
        .query<Pick<AccountRow, 'revision'>>(
          'select * from swap_account($1, $2, $3, $4)',
          [tenantId, expected.id, expected.revision, balanceMinorUnits],
          { tenantId, signal },
        )
        .catch(rethrowSwapError);
      return row === undefined ? 'conflict' : { ...expected, balanceMinorUnits, revision: row.revision };
    },
  };
}

/** A swap that timed out without writing is a failure like any other. Spec: PUT, "Any other swap failure". */
function rethrowSwapError(error: unknown): never {
  throw error instanceof StoreTimeout
    ? problem('internal', 'The store did not respond in time; nothing was written.', { cause: error })
    : error;
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    balanceMinorUnits: row.balance_minor_units,
    revision: row.revision,
    createdAt: row.created_at,
    storeEpoch: row.store_epoch,
  };
}
