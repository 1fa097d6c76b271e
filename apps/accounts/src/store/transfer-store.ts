// Transfers in PostgreSQL. One call of a function moves the money and enters it in the ledger, or does neither.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { ProblemKind } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { accountNotFound, isAccountId } from '../accounts/account.ts';
import type { PagePosition } from '../pagination/keyset-page.ts';
import type { TransferInput } from '../transfers/transfer-shapes.ts';
import { isTransferId } from '../transfers/transfer.ts';
import type { Transfer } from '../transfers/transfer.ts';

export interface TransferStore {
  /**
   * Moves the amount; the revisions of both accounts rise by exactly 1.
   *
   * @throws {Problem} `account-not-found` for an unknown source, `same-account`, `unknown-destination`,
   * `insufficient-funds` or `balance-overflow`; nothing was moved
   */
  readonly create: (
    tenantId: string,
    transfer: TransferInput & { readonly id: string; readonly fromAccountId: string },
    signal: StopSignal,
  ) => Promise<Transfer>;
  readonly find: (tenantId: string, id: string, signal: StopSignal) => Promise<Transfer | undefined>;
  /**
   * At most `limit` transfers, newest first, after a position: all of the tenant's, or those from or to one account.
   */
  readonly list: (
    tenantId: string,
    page: {
      readonly accountId: string | undefined;
      readonly behind: PagePosition | undefined;
      readonly limit: number;
    },
    signal: StopSignal,
  ) => Promise<Transfer[]>;
}

interface TransferRow {
  id: string;
  from_account_id: string;
  to_account_id: string;
  amount_minor_units: bigint;
  reference: string | null;
  status: 'completed';
  created_at: string;
}

type RequestError = keyof typeof refusals | 'account-not-found';

const refusals = {
  'same-account': () => 'A transfer goes from one account to another, not to the same.',
  'unknown-destination': (id) =>
    isAccountId(id)
      ? `There is no account "${id}" to transfer to.`
      : 'The value of to_account_id is not the identifier of an account.',
  'insufficient-funds': () => 'The balance of the source account is below the amount.',
  'balance-overflow': () => 'The balance of the destination account would not fit 64 bits.',
} as const satisfies Partial<Record<ProblemKind, (toAccountId: string) => string>>;

export function createTransferStore(statements: Statements): TransferStore {
  return {
    async create(tenantId, { id, fromAccountId, toAccountId, amountMinorUnits, reference }, signal) {
      if (!isAccountId(fromAccountId)) {
        throw accountNotFound(fromAccountId);
      }
      const [row] = await statements.query<{ refusal: RequestError | null; created_at: string }>(
        'select * from create_transfer($1, $2, $3, $4, $5, $6)',
        [tenantId, id, fromAccountId, possible(toAccountId), amountMinorUnits, reference],
        { tenantId, signal },
      );
      if (row === undefined) {
        throw new Error('create_transfer returned no row');
      }
      if (row.refusal === 'account-not-found') {
        throw accountNotFound(fromAccountId);
      }
      if (row.refusal !== null) {
        throw problem(row.refusal, refusals[row.refusal](toAccountId));
      }
      return {
        id,
        fromAccountId,
        toAccountId,
        amountMinorUnits,
        reference,
        status: 'completed',
        createdAt: row.created_at,
      };
    },

    async find(tenantId, id, signal) {
      if (!isTransferId(id)) {
        return undefined;
      }
      const [row] = await statements.query<TransferRow>(
        'select * from find_transfer($1, $2)',
        [tenantId, id],
        { tenantId, signal, readOnly: true },
      );
      return row && transferOf(row);
    },

    async list(tenantId, { accountId, behind, limit }, signal) {
      const rows = await statements.query<TransferRow>(
        'select * from list_transfers($1, $2, $3, $4, $5)',
        [
          tenantId,
          accountId === undefined ? null : possible(accountId),
          behind?.createdAt ?? null,
          behind?.id ?? null,
          limit,
        ],
        { tenantId, signal, readOnly: true },
      );
      return rows.map(transferOf);
    },
  };
}

/**
 * Replaces identifiers that no account can have: PostgreSQL rejects some of those, and no account has the empty
 * one.
 */
function possible(accountId: string): string {
  return isAccountId(accountId) ? accountId : '';
}

function transferOf(row: TransferRow): Transfer {
  return {
    id: row.id,
    fromAccountId: row.from_account_id,
    toAccountId: row.to_account_id,
    amountMinorUnits: row.amount_minor_units,
    reference: row.reference,
    status: row.status,
    createdAt: row.created_at,
  };
}
