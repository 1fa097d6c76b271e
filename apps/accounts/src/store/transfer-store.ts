// Transfers in PostgreSQL. One call of a function moves the money and enters it in the ledger, or does neither.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Problem, ProblemKind } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { accountNotFound, isAccountId } from '../accounts/account.ts';
import type { Actor } from '../accounts/actor.ts';
import type { CreationTime } from '../pagination/creation-time.ts';
import type { PagePosition } from '../pagination/pages.ts';
import type { TransferInput } from '../transfers/transfer-schemas.ts';
import { isUuid } from '../transfers/transfer.ts';
import type { StoredTransfer, Transfer } from '../transfers/transfer.ts';

export interface TransferStore {
  /**
   * Moves the amount; the revisions of both accounts rise by exactly 1.
   *
   * @throws {Problem} `account-not-found` for an unknown source, `same-account`, `unknown-destination`,
   * `insufficient-funds` or `balance-overflow`; nothing was moved
   */
  readonly create: (
    actor: Actor,
    transfer: TransferInput & { readonly id: string; readonly fromAccountId: string },
    signal: StopSignal,
  ) => Promise<Transfer>;
  /**
   * Moves the amount of a transfer back, once.
   *
   * @throws {Problem} `transfer-not-found`, `transfer-is-reversal`, `transfer-already-reversed`, `insufficient-funds` or
   * `balance-overflow`; nothing was moved
   */
  readonly reverse: (
    actor: Actor,
    reversal: { readonly id: string; readonly reverses: string; readonly reference: string | null },
    signal: StopSignal,
  ) => Promise<Transfer>;
  readonly find: (tenantId: string, id: string, signal: StopSignal) => Promise<StoredTransfer | undefined>;
  /** At most `limit` of the tenant's transfers that pass the filter, newest first, after a position. */
  readonly list: (
    tenantId: string,
    page: TransferFilter & {
      readonly after: PagePosition | undefined;
      readonly limit: number;
    },
    signal: StopSignal,
  ) => Promise<Transfer[]>;
}

/** The transfers to list; a missing member does not narrow them. */
export interface TransferFilter extends CreationTime {
  readonly accountId: string | undefined;
  /** As the account sees it. */
  readonly direction: 'in' | 'out' | undefined;
  readonly reference: string | undefined;
}

interface TransferRow {
  id: string;
  from_account_id: string;
  to_account_id: string;
  amount_minor_units: bigint;
  reference: string | null;
  status: 'completed';
  reverses: string | null;
  reversed_by: string | null;
  created_at: string;
}

type RequestError = keyof typeof transferErrors | 'account-not-found';

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

interface ReversalRow {
  refusal: keyof typeof reversalErrors | 'transfer-not-found' | null;
  from_account_id: string;
  to_account_id: string;
  amount_minor_units: bigint;
  created_at: string;
}

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

export function createTransferStore(statements: Statements): TransferStore {
  return {
    async create(actor, { id, fromAccountId, toAccountId, amountMinorUnits, reference }, signal) {
      const { tenantId, issuer, subject } = actor;
      if (!isAccountId(fromAccountId)) {
        throw accountNotFound(fromAccountId);
      }
      const [row] = await statements.query<{ refusal: RequestError | null; created_at: string }>(
        'select * from create_transfer($1, $2, $3, $4, $5, $6, $7, $8)',
        [tenantId, id, fromAccountId, possible(toAccountId), amountMinorUnits, reference, issuer, subject],
        { tenantId, signal },
      );
      if (row === undefined) {
        throw new Error('create_transfer returned no row');
      }
      if (row.refusal === 'account-not-found') {
        throw accountNotFound(fromAccountId);
      }
      if (row.refusal !== null) {
        throw problem(row.refusal, transferErrors[row.refusal](toAccountId));
      }
      return {
        id,
        fromAccountId,
        toAccountId,
        amountMinorUnits,
        reference,
        status: 'completed',
        reverses: null,
        reversedBy: null,
        createdAt: row.created_at,
      };
    },

    async reverse({ tenantId, issuer, subject }, { id, reverses, reference }, signal) {
      const [row] = isUuid(reverses)
        ? await statements.query<ReversalRow>(
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
      return {
        id,
        fromAccountId: row.from_account_id,
        toAccountId: row.to_account_id,
        amountMinorUnits: row.amount_minor_units,
        reference,
        status: 'completed',
        reverses,
        reversedBy: null,
        createdAt: row.created_at,
      };
    },

    async find(tenantId, id, signal) {
      if (!isUuid(id)) {
        return undefined;
      }
      const [row] = await statements.query<TransferRow & { store_epoch: string }>(
        'select * from find_transfer($1, $2)',
        [tenantId, id],
        { tenantId, signal, readOnly: true },
      );
      return row && { ...transferOf(row), storeEpoch: row.store_epoch };
    },

    async list(tenantId, { after, limit, ...filter }, signal) {
      const rows = await statements.query<TransferRow>(
        'select * from list_transfers($1, $2, $3, $4, $5, $6, $7, $8, $9)',
        [
          tenantId,
          filter.accountId === undefined ? null : possible(filter.accountId),
          after?.createdAt ?? null,
          after?.id ?? null,
          limit,
          filter.direction ?? null,
          filter.reference ?? null,
          filter.createdAfter ?? null,
          filter.createdBefore ?? null,
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
export function possible(accountId: string): string {
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
    reverses: row.reverses,
    reversedBy: row.reversed_by,
    createdAt: row.created_at,
  };
}
