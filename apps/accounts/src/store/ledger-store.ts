// The ledger of accounts in PostgreSQL, to read.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { accountNotFound, isAccountId } from '../accounts/account.ts';
import type { Entry } from '../ledger/entry.ts';
import type { PageStart } from '../pagination/pages.ts';

interface BalanceRow {
  outcome: 'found' | 'future' | 'absent';
  balance_minor_units: bigint;
  moment: string;
}

export type LedgerStore = ReturnType<typeof createLedgerStore>;

export function createLedgerStore(statements: Statements) {
  return {
    /** At most `limit` of an account's entries, newest first, after a position. */
    async list(
      tenantId: string,
      { accountId, after, limit }: PageStart & { readonly accountId: string },
      signal: StopSignal,
    ): Promise<Entry[]> {
      return isAccountId(accountId)
        ? await statements.query(
            'select * from list_entries($1, $2, $3, $4, $5)',
            [tenantId, accountId, after?.created_at ?? null, after?.id ?? null, limit],
            { tenantId, signal, readOnly: true },
          )
        : [];
    },

    /**
     * The balance of an account after its last entry at or before a moment; now without one. Exact though others write.
     *
     * @throws {Problem} `account-not-found`, also for a moment before the account was created; `invalid-parameter` for one
     * in the future
     */
    async balanceAt(
      tenantId: string,
      accountId: string,
      at: string | undefined,
      signal: StopSignal,
    ): Promise<{ readonly balance_minor_units: bigint; readonly at: string }> {
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
      return { balance_minor_units: row.balance_minor_units, at: row.moment };
    },
  };
}
