// Accounts in PostgreSQL. The compare-and-swap lives here: it is the correctness boundary of every write.
// Spec: States and transitions.
import { StoreTimeout } from '@meridian/database';
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { isAccountId } from '../accounts/account.ts';
import type { Account, Actor, ListedAccount } from '../accounts/account.ts';
import type { CreationTime } from '../pagination/creation-time.ts';
import type { PageStart } from '../pagination/pages.ts';

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(statements: Statements) {
  return {
    /** The tenant's account, or undefined. */
    async find(tenantId: string, id: string, signal: StopSignal): Promise<Account | undefined> {
      if (!isAccountId(id)) {
        return undefined;
      }
      const [account] = await statements.query<Account>(
        'select * from find_account($1, $2)',
        [tenantId, id],
        { tenantId, signal, readOnly: true },
      );
      return account;
    },

    /** The tenant's accounts with these identifiers, in any order; missing ones are left out. */
    findAll(tenantId: string, ids: readonly string[], signal: StopSignal): Promise<ListedAccount[]> {
      return statements.query('select * from find_accounts($1, $2)', [tenantId, ids.filter(isAccountId)], {
        tenantId,
        signal,
        readOnly: true,
      });
    },

    /** At most `limit` of the tenant's accounts, created in a time, newest first, after a position. */
    list(
      tenantId: string,
      { after, limit, createdAfter, createdBefore }: CreationTime & PageStart,
      signal: StopSignal,
    ): Promise<ListedAccount[]> {
      // Only the columns that a page shows: each value of a row takes time of the event loop.
      return statements.query(
        'select id, balance_minor_units, created_at from list_accounts($1, $2, $3, $4, $5, $6)',
        [
          tenantId,
          after?.created_at ?? null,
          after?.id ?? null,
          limit,
          createdAfter ?? null,
          createdBefore ?? null,
        ],
        { tenantId, signal, readOnly: true },
      );
    },

    /**
     * A new account at revision 1.
     *
     * @throws {Problem} `account-already-exists`
     */
    async create(
      { tenantId, issuer, subject }: Actor,
      id: string,
      balanceMinorUnits: bigint,
      signal: StopSignal,
    ): Promise<Account> {
      const [account] = await statements.query<Account>(
        `select *, '0' as held_minor_units from create_account($1, $2, $3, $4, $5)`,
        [tenantId, id, balanceMinorUnits, issuer, subject],
        { tenantId, signal },
      );
      if (account === undefined) {
        throw problem('account-already-exists', `There is already an account "${id}".`);
      }
      return account;
    },

    /**
     * Writes the balance, and adds 1 to the revision, if that is still `expected`'s. `'conflict'`: another writer was
     * first, and nothing was written.
     *
     * @throws {Problem} `internal` when the store did not respond in time; nothing was written then
     */
    async swap(
      { tenantId, issuer, subject }: Actor,
      expected: Account,
      balanceMinorUnits: bigint,
      signal: StopSignal,
    ): Promise<Account | 'conflict'> {
      const [row] = await statements
        .query<Pick<Account, 'revision'>>(
          'select * from swap_account($1, $2, $3, $4, $5, $6)',
          [tenantId, expected.id, expected.revision, balanceMinorUnits, issuer, subject],
          { tenantId, signal },
        )
        .catch(rethrowSwapError);
      return row === undefined
        ? 'conflict'
        : { ...expected, balance_minor_units: balanceMinorUnits, revision: row.revision };
    },
  };
}

/** A swap that timed out without writing is a failure like any other. Spec: PUT, "Any other swap failure". */
function rethrowSwapError(error: unknown): never {
  throw error instanceof StoreTimeout
    ? problem('internal', 'The store did not respond in time; nothing was written.', { cause: error })
    : error;
}
