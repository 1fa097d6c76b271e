// Holds in PostgreSQL. One call of a function reserves, captures or releases, or does nothing.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { accountNotFound, isAccountId } from '../accounts/account.ts';
import type { Actor } from '../accounts/actor.ts';
import type { CaptureInput, HoldInput } from '../holds/hold-schemas.ts';
import type { Hold, HoldStatus } from '../holds/hold.ts';
import type { PagePosition } from '../pagination/pages.ts';
import { isUuid } from '../transfers/transfer.ts';
import type { Transfer } from '../transfers/transfer.ts';
import { possible, transferErrors } from './transfer-store.ts';

export interface HoldStore {
  /**
   * Reserves an amount; the account's revision rises by 1.
   *
   * @throws {Problem} `account-not-found`, `insufficient-funds` when less is available, `malformed-body` for a time of
   * expiry that is over or too late
   */
  readonly create: (
    actor: Actor,
    hold: HoldInput & { readonly id: string; readonly accountId: string },
    signal: StopSignal,
  ) => Promise<Hold>;
  readonly find: (tenantId: string, id: string, signal: StopSignal) => Promise<Hold | undefined>;
  /** At most `limit` of an account's holds, newest first, after a position. */
  readonly list: (
    tenantId: string,
    page: {
      readonly accountId: string;
      readonly status: HoldStatus | undefined;
      readonly after: PagePosition | undefined;
      readonly limit: number;
    },
    signal: StopSignal,
  ) => Promise<Hold[]>;
  /**
   * Transfers what is held, or a part of it, and releases the rest.
   *
   * @throws {Problem} `hold-not-found`, `hold-not-pending`, and the problems of a transfer
   */
  readonly capture: (
    actor: Actor,
    capture: CaptureInput & { readonly holdId: string; readonly transferId: string },
    signal: StopSignal,
  ) => Promise<Transfer>;
  /** @throws {Problem} `hold-not-found`, `hold-not-pending` */
  readonly release: (actor: Actor, id: string, signal: StopSignal) => Promise<Hold>;
}

interface HoldRow {
  id: string;
  account_id: string;
  amount_minor_units: bigint;
  captured_minor_units: bigint;
  status: HoldStatus;
  expires_at: string;
  reference: string | null;
  created_at: string;
}

interface CreatedRow {
  refusal: 'account-not-found' | 'invalid-expiry' | 'insufficient-funds' | null;
  expires_at: string;
  created_at: string;
}

interface CapturedRow {
  refusal: keyof typeof transferErrors | 'hold-not-found' | 'hold-not-pending' | 'amount-above-hold' | null;
  from_account_id: string;
  amount_minor_units: bigint;
  reference: string | null;
  created_at: string;
}

type ReleasedRow = HoldRow & { refusal: 'hold-not-found' | 'hold-not-pending' | null };

export function createHoldStore(statements: Statements): HoldStore {
  return {
    async create(
      { tenantId, issuer, subject },
      { id, accountId, amountMinorUnits, expiresAt, reference },
      signal,
    ) {
      if (!isAccountId(accountId)) {
        throw accountNotFound(accountId);
      }
      const [row] = await statements.query<CreatedRow>(
        'select * from create_hold($1, $2, $3, $4, $5, $6, $7, $8)',
        [tenantId, id, accountId, amountMinorUnits, expiresAt ?? null, reference, issuer, subject],
        { tenantId, signal },
      );
      if (row === undefined) {
        throw new Error('create_hold returned no row');
      }
      if (row.refusal === 'account-not-found') {
        throw accountNotFound(accountId);
      }
      if (row.refusal === 'invalid-expiry') {
        throw problem(
          'malformed-body',
          'Cannot read the body: expires_at is not a time from now to 90 days from now.',
        );
      }
      if (row.refusal !== null) {
        throw problem(row.refusal, 'What is available of the account is below the amount.');
      }
      return {
        id,
        accountId,
        amountMinorUnits,
        capturedMinorUnits: 0n,
        status: 'pending',
        expiresAt: row.expires_at,
        reference,
        createdAt: row.created_at,
      };
    },

    async find(tenantId, id, signal) {
      if (!isUuid(id)) {
        return undefined;
      }
      const [row] = await statements.query<HoldRow>('select * from find_hold($1, $2)', [tenantId, id], {
        tenantId,
        signal,
        readOnly: true,
      });
      return row && holdOf(row);
    },

    async list(tenantId, { accountId, status, after, limit }, signal) {
      if (!isAccountId(accountId)) {
        return [];
      }
      const rows = await statements.query<HoldRow>(
        'select * from list_holds($1, $2, $3, $4, $5, $6)',
        [tenantId, accountId, status ?? null, after?.createdAt ?? null, after?.id ?? null, limit],
        { tenantId, signal, readOnly: true },
      );
      return rows.map(holdOf);
    },

    async capture(
      { tenantId, issuer, subject },
      { holdId, transferId, toAccountId, amountMinorUnits },
      signal,
    ) {
      const [row] = isUuid(holdId)
        ? await statements.query<CapturedRow>(
            'select * from capture_hold($1, $2, $3, $4, $5, $6, $7)',
            [tenantId, holdId, transferId, possible(toAccountId), amountMinorUnits ?? null, issuer, subject],
            { tenantId, signal },
          )
        : [];
      if (row === undefined) {
        throw holdProblem('hold-not-found', holdId);
      }
      if (row.refusal === 'hold-not-found' || row.refusal === 'hold-not-pending') {
        throw holdProblem(row.refusal, holdId);
      }
      if (row.refusal === 'amount-above-hold') {
        throw problem('insufficient-funds', 'The hold reserves less than the amount.');
      }
      if (row.refusal !== null) {
        throw problem(row.refusal, transferErrors[row.refusal](toAccountId));
      }
      return {
        id: transferId,
        fromAccountId: row.from_account_id,
        toAccountId,
        amountMinorUnits: row.amount_minor_units,
        reference: row.reference,
        status: 'completed',
        reverses: null,
        reversedBy: null,
        createdAt: row.created_at,
      };
    },

    async release({ tenantId, issuer, subject }, id, signal) {
      const [row] = isUuid(id)
        ? await statements.query<ReleasedRow>(
            'select * from release_hold($1, $2, $3, $4)',
            [tenantId, id, issuer, subject],
            {
              tenantId,
              signal,
            },
          )
        : [];
      if (row === undefined || row.refusal !== null) {
        throw holdProblem(row?.refusal ?? 'hold-not-found', id);
      }
      return holdOf(row);
    },
  };
}

/** `hold-not-found` is equal for a missing hold and for another tenant's. */
export function holdProblem(kind: 'hold-not-found' | 'hold-not-pending', id: string): Problem {
  return problem(
    kind,
    kind === 'hold-not-found'
      ? `There is no hold "${id}".`
      : 'The hold is not pending any more; read it to see how it ended.',
  );
}

function holdOf(row: HoldRow): Hold {
  return {
    id: row.id,
    accountId: row.account_id,
    amountMinorUnits: row.amount_minor_units,
    capturedMinorUnits: row.captured_minor_units,
    status: row.status,
    expiresAt: row.expires_at,
    reference: row.reference,
    createdAt: row.created_at,
  };
}
