// Accounts in PostgreSQL. The compare-and-swap lives here: it is the correctness boundary of every write.
// Spec: States and transitions.
import { StoreTimeout } from '@meridian/database';
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { isAccountId } from '../accounts/account.ts';
import type { Actor } from '../accounts/actor.ts';
import type { Account, ListedAccount } from '../accounts/account.ts';
import type { CreationTime } from '../pagination/creation-time.ts';
import type { PagePosition } from '../pagination/pages.ts';

export interface AccountStore {
  /** The tenant's account, or undefined. */
  readonly find: (tenantId: string, id: string, signal: StopSignal) => Promise<Account | undefined>;
  /** The tenant's accounts with these identifiers, in any order; missing ones are left out. */
  readonly findAll: (
    tenantId: string,
    ids: readonly string[],
    signal: StopSignal,
  ) => Promise<ListedAccount[]>;
  /** At most `limit` of the tenant's accounts, created in a time, newest first, after a position. */
  readonly list: (
    tenantId: string,
    page: CreationTime & { readonly after: PagePosition | undefined; readonly limit: number },
    signal: StopSignal,
  ) => Promise<ListedAccount[]>;
  /**
   * A new account at revision 1.
   *
   * @throws {Problem} `account-already-exists`
   */
  readonly create: (
    actor: Actor,
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
    actor: Actor,
    expected: Account,
    balanceMinorUnits: bigint,
    signal: StopSignal,
  ) => Promise<Account | 'conflict'>;
}

interface AccountRow {
  id: string;
  balance_minor_units: bigint;
  /** Numeric. */
  held_minor_units: string;
  revision: bigint;
  created_at: string;
  store_epoch: string;
}

type ListedRow = Pick<AccountRow, 'id' | 'balance_minor_units' | 'created_at'>;

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

    async findAll(tenantId, ids, signal) {
      const rows = await statements.query<ListedRow>(
        'select * from find_accounts($1, $2)',
        [tenantId, ids.filter(isAccountId)],
        { tenantId, signal, readOnly: true },
      );
      return rows.map(listedAccountOf);
    },

    async list(tenantId, { after, limit, createdAfter, createdBefore }, signal) {
      // Only the columns that a page shows: each value of a row takes time of the event loop.
      const rows = await statements.query<ListedRow>(
        'select id, balance_minor_units, created_at from list_accounts($1, $2, $3, $4, $5, $6)',
        [
          tenantId,
          after?.createdAt ?? null,
          after?.id ?? null,
          limit,
          createdAfter ?? null,
          createdBefore ?? null,
        ],
        { tenantId, signal, readOnly: true },
      );
      return rows.map(listedAccountOf);
    },

    async create({ tenantId, issuer, subject }, id, balanceMinorUnits, signal) {
      const [row] = await statements.query<AccountRow>(
        'select *, 0 as held_minor_units from create_account($1, $2, $3, $4, $5)',
        [tenantId, id, balanceMinorUnits, issuer, subject],
        { tenantId, signal },
      );
      if (row === undefined) {
        throw problem('account-already-exists', `There is already an account "${id}".`);
      }
      return accountOf(row);
    },

    async swap({ tenantId, issuer, subject }, expected, balanceMinorUnits, signal) {
      const [row] = await statements
        .query<Pick<AccountRow, 'revision'>>(
          'select * from swap_account($1, $2, $3, $4, $5, $6)',
          [tenantId, expected.id, expected.revision, balanceMinorUnits, issuer, subject],
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

function listedAccountOf(row: ListedRow): ListedAccount {
  return { id: row.id, balanceMinorUnits: row.balance_minor_units, createdAt: row.created_at };
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    balanceMinorUnits: row.balance_minor_units,
    heldMinorUnits: BigInt(row.held_minor_units),
    revision: row.revision,
    createdAt: row.created_at,
    storeEpoch: row.store_epoch,
  };
}
