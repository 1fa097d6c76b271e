// Transfers in PostgreSQL. One call of a function moves the money and enters it in the ledger, or does neither.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Problem, ProblemKind } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { accountNotFound, isAccountId } from '../accounts/account.ts';
import type { Actor } from '../accounts/account.ts';
import type { CreationTime } from '../pagination/creation-time.ts';
import type { PageStart } from '../pagination/pages.ts';
import { isUuid } from '../transfers/transfer.ts';
import type { StoredTransfer, Transfer } from '../transfers/transfer.ts';

/** The transfers to list; a missing member does not narrow them. */
export interface TransferFilter extends CreationTime {
  readonly accountId: string | undefined;
  /** As the account sees it. */
  readonly direction: 'in' | 'out' | undefined;
  readonly reference: string | undefined;
}

/** Why the store moves no money, for the destination that was named. */
export const transferErrors = {
  'same-account': () => 'A transfer goes from one account to another, not to the same.',
  'unknown-destination': (id) =>
    isAccountId(id)
      ? `There is no account "${id}" to transfer to.`
      : 'The value of to_account_id is not the identifier of an account.',
  'insufficient-funds': () => 'What is available of the source account is below the amount.',
  'balance-overflow': () => 'The balance of the destination account would not fit 64 bits.',
} as const satisfies Partial<Record<ProblemKind, (toAccountId: string) => string>>;

const reversalErrors = {
  'transfer-is-reversal': 'The transfer is itself a reversal.',
  'transfer-already-reversed': 'The transfer has been reversed before; its reversed_by names the reversal.',
  'insufficient-funds': 'What is available of the account that got the amount is below it now.',
  'balance-overflow': 'The balance of the account that the amount goes back to would not fit 64 bits.',
} as const satisfies Partial<Record<ProblemKind, string>>;

/** Equal for a missing transfer and for another tenant's. */
export function transferNotFound(id: string): Problem {
  return problem('transfer-not-found', `There is no transfer "${id}".`);
}

export type TransferStore = ReturnType<typeof createTransferStore>;

export function createTransferStore(statements: Statements) {
  return {
    /**
     * Moves the amount; the revisions of both accounts rise by exactly 1.
     *
     * @throws {Problem} `account-not-found` for an unknown source, `same-account`, `unknown-destination`,
     * `insufficient-funds` or `balance-overflow`; nothing was moved
     */
    async create(
      { tenantId, issuer, subject }: Actor,
      transfer: Pick<Transfer, 'id' | 'from_account_id' | 'to_account_id' | 'amount_minor_units'> & {
        readonly reference: Transfer['reference'] | undefined;
      },
      signal: StopSignal,
    ): Promise<Transfer> {
      const { id, from_account_id: from, to_account_id: to, amount_minor_units: amount } = transfer;
      const reference = transfer.reference ?? null;
      if (!isAccountId(from)) {
        throw accountNotFound(from);
      }
      const [row] = await statements.query<{
        refusal: keyof typeof transferErrors | 'account-not-found' | null;
        created_at: string;
      }>(
        'select * from create_transfer($1, $2, $3, $4, $5, $6, $7, $8)',
        [tenantId, id, from, possible(to), amount, reference, issuer, subject],
        { tenantId, signal },
      );
      if (row === undefined) {
        throw new Error('create_transfer returned no row');
      }
      if (row.refusal === 'account-not-found') {
        throw accountNotFound(from);
      }
      if (row.refusal !== null) {
        throw problem(row.refusal, transferErrors[row.refusal](to));
      }
      return completed({ ...transfer, reference, created_at: row.created_at });
    },

    /**
     * Moves the amount of a transfer back, once.
     *
     * @throws {Problem} `transfer-not-found`, `transfer-is-reversal`, `transfer-already-reversed`, `insufficient-funds` or
     * `balance-overflow`; nothing was moved
     */
    async reverse(
      { tenantId, issuer, subject }: Actor,
      reversal: {
        readonly id: string;
        readonly reverses: string;
        readonly reference: string | null | undefined;
      },
      signal: StopSignal,
    ): Promise<Transfer> {
      const { id, reverses, reference = null } = reversal;
      type ReversalRow = Pick<
        Transfer,
        'from_account_id' | 'to_account_id' | 'amount_minor_units' | 'created_at'
      >;
      const [row] = isUuid(reverses)
        ? await statements.query<
            ReversalRow & { refusal: keyof typeof reversalErrors | 'transfer-not-found' | null }
          >(
            'select * from reverse_transfer($1, $2, $3, $4, $5, $6)',
            [tenantId, id, reverses, reference, issuer, subject],
            { tenantId, signal },
          )
        : [];
      if (row === undefined || row.refusal === 'transfer-not-found') {
        throw transferNotFound(reverses);
      }
      if (row.refusal !== null) {
        throw problem(row.refusal, reversalErrors[row.refusal]);
      }
      return completed({ ...row, ...reversal, reference });
    },

    async find(tenantId: string, id: string, signal: StopSignal): Promise<StoredTransfer | undefined> {
      const [row] = isUuid(id)
        ? await statements.query<StoredTransfer>('select * from find_transfer($1, $2)', [tenantId, id], {
            tenantId,
            signal,
            readOnly: true,
          })
        : [];
      return row;
    },

    /** At most `limit` of the tenant's transfers that pass the filter, newest first, after a position. */
    list(
      tenantId: string,
      { after, limit, ...filter }: TransferFilter & PageStart,
      signal: StopSignal,
    ): Promise<Transfer[]> {
      return statements.query(
        'select * from list_transfers($1, $2, $3, $4, $5, $6, $7, $8, $9)',
        [
          tenantId,
          filter.accountId === undefined ? null : possible(filter.accountId),
          after?.created_at ?? null,
          after?.id ?? null,
          limit,
          filter.direction ?? null,
          filter.reference ?? null,
          filter.createdAfter ?? null,
          filter.createdBefore ?? null,
        ],
        { tenantId, signal, readOnly: true },
      );
    },
  };
}

/** A transfer that was made just now. */
export function completed(
  transfer: Omit<Transfer, 'status' | 'reverses' | 'reversed_by'> & Partial<Pick<Transfer, 'reverses'>>,
): Transfer {
  return { reverses: null, ...transfer, status: 'completed', reversed_by: null };
}

/**
 * Replaces identifiers that no account can have: PostgreSQL rejects some of those, and no account has the empty
 * one.
 */
export function possible(accountId: string): string {
  return isAccountId(accountId) ? accountId : '';
}
