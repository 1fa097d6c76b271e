// The ledger of accounts in PostgreSQL, to read.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { accountNotFound, isAccountId } from '../accounts/account.ts';
import type { Entry } from '../ledger/entry.ts';
import type { PagePosition } from '../pagination/pages.ts';

export interface LedgerStore {
  /** At most `limit` of an account's entries, newest first, after a position. */
  readonly list: (
    tenantId: string,
    page: {
      readonly accountId: string;
      readonly after: PagePosition | undefined;
      readonly limit: number;
    },
    signal: StopSignal,
  ) => Promise<Entry[]>;
  /**
   * The balance of an account after its last entry at or before a moment; now without one. Exact though others write.
   *
   * @throws {Problem} `account-not-found`, also for a moment before the account was created; `invalid-parameter` for one
   * in the future
   */
  readonly balanceAt: (
    tenantId: string,
    accountId: string,
    at: string | undefined,
    signal: StopSignal,
  ) => Promise<{ readonly balanceMinorUnits: bigint; readonly at: string }>;
}

interface EntryRow {
  id: bigint;
  transfer_id: string | null;
  is_first: boolean;
  amount_minor_units: string;
  balance_minor_units: bigint;
  actor_issuer: string | null;
  actor_subject: string | null;
  created_at: string;
}

interface BalanceRow {
  outcome: 'found' | 'future' | 'absent';
  balance_minor_units: bigint;
  moment: string;
}

export function createLedgerStore(statements: Statements): LedgerStore {
  return {
    async list(tenantId, { accountId, after, limit }, signal) {
      if (!isAccountId(accountId)) {
        return [];
      }
      const rows = await statements.query<EntryRow>(
        'select * from list_entries($1, $2, $3, $4, $5)',
        [tenantId, accountId, after?.createdAt ?? null, after?.id ?? null, limit],
        { tenantId, signal, readOnly: true },
      );
      return rows.map((row) => entryOf(accountId, row));
    },

    async balanceAt(tenantId, accountId, at, signal) {
      const [row] = isAccountId(accountId)
        ? await statements.query<BalanceRow>(
            'select * from find_balance_at($1, $2, $3)',
            [tenantId, accountId, at ?? null],
            { tenantId, signal, readOnly: true },
          )
        : [];
      if (row === undefined) {
        throw accountNotFound(accountId);
      }
      if (row.outcome === 'absent') {
        throw problem('account-not-found', `There was no account "${accountId}" at that moment.`);
      }
      if (row.outcome === 'future') {
        throw problem('invalid-parameter', 'Cannot read the query: at is in the future.');
      }
      return { balanceMinorUnits: row.balance_minor_units, at: row.moment };
    },
  };
}

function entryOf(accountId: string, row: EntryRow): Entry {
  const { actor_issuer: issuer, actor_subject: subject } = row;
  return {
    id: String(row.id),
    accountId,
    kind: kindOf(row),
    transferId: row.transfer_id,
    amountMinorUnits: BigInt(row.amount_minor_units),
    balanceMinorUnits: row.balance_minor_units,
    actor: issuer === null || subject === null ? null : { issuer, subject },
    createdAt: row.created_at,
  };
}

function kindOf({ transfer_id: transferId, is_first: isFirst }: EntryRow): Entry['kind'] {
  if (transferId !== null) {
    return 'transfer';
  }
  return isFirst ? 'opening' : 'adjustment';
}
