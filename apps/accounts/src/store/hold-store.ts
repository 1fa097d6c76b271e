// Holds in PostgreSQL. One call of a function reserves, captures or releases, or does nothing.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import { accountNotFound, isAccountId } from '../accounts/account.ts';
import type { Actor } from '../accounts/account.ts';
import type { Hold } from '../holds/hold.ts';
import type { PageStart } from '../pagination/pages.ts';
import { isUuid } from '../transfers/transfer.ts';
import type { Transfer } from '../transfers/transfer.ts';
import { completed, possible, transferErrors } from './transfer-store.ts';

type HoldProblemKind = 'hold-not-found' | 'hold-not-pending';

type CapturedRow = Pick<Transfer, 'from_account_id' | 'amount_minor_units' | 'reference' | 'created_at'> & {
  readonly refusal: keyof typeof transferErrors | HoldProblemKind | 'amount-above-hold' | null;
};

export type HoldStore = ReturnType<typeof createHoldStore>;

export function createHoldStore(statements: Statements) {
  return {
    /**
     * Reserves an amount; the account's revision rises by 1.
     *
     * @throws {Problem} `account-not-found`, `insufficient-funds` when less is available, `malformed-body` for a time of
     * expiry that is over or too late
     */
    async create(
      { tenantId, issuer, subject }: Actor,
      hold: Pick<Hold, 'id' | 'account_id' | 'amount_minor_units'> & {
        readonly expires_at: string | undefined;
        readonly reference: Hold['reference'] | undefined;
      },
      signal: StopSignal,
    ): Promise<Hold> {
      const { id, account_id: accountId, amount_minor_units: amount, expires_at: expiresAt } = hold;
      const reference = hold.reference ?? null;
      if (!isAccountId(accountId)) {
        throw accountNotFound(accountId);
      }
      const [row] = await statements.query<{
        refusal: 'account-not-found' | 'invalid-expiry' | 'insufficient-funds' | null;
        expires_at: string;
        created_at: string;
      }>(
        'select * from create_hold($1, $2, $3, $4, $5, $6, $7, $8)',
        [tenantId, id, accountId, amount, expiresAt ?? null, reference, issuer, subject],
        { tenantId, signal },
      );
      if (row === undefined) {
        throw new Error('create_hold returned no row');
      }
      const { refusal, ...times } = row;
      if (refusal === 'account-not-found') {
        throw accountNotFound(accountId);
      }
      if (refusal === 'invalid-expiry') {
        throw problem(
          'malformed-body',
          'Cannot read the body: expires_at is not a time from now to 90 days from now.',
        );
      }
      if (refusal !== null) {
        throw problem(refusal, 'What is available of the account is below the amount.');
      }
      return { ...hold, ...times, reference, captured_minor_units: 0n, status: 'pending' };
    },

    async find(tenantId: string, id: string, signal: StopSignal): Promise<Hold | undefined> {
      const [row] = isUuid(id)
        ? await statements.query<Hold>('select * from find_hold($1, $2)', [tenantId, id], {
            tenantId,
            signal,
            readOnly: true,
          })
        : [];
      return row;
    },

    /** At most `limit` of an account's holds, newest first, after a position. */
    async list(
      tenantId: string,
      page: PageStart & { readonly accountId: string; readonly status: Hold['status'] | undefined },
      signal: StopSignal,
    ): Promise<Hold[]> {
      const { accountId, status, after, limit } = page;
      return isAccountId(accountId)
        ? await statements.query(
            'select * from list_holds($1, $2, $3, $4, $5, $6)',
            [tenantId, accountId, status ?? null, after?.created_at ?? null, after?.id ?? null, limit],
            { tenantId, signal, readOnly: true },
          )
        : [];
    },

    /**
     * Transfers what is held, or a part of it, and releases the rest.
     *
     * @throws {Problem} `hold-not-found`, `hold-not-pending`, and the problems of a transfer
     */
    async capture(
      { tenantId, issuer, subject }: Actor,
      capture: {
        readonly holdId: string;
        readonly transferId: string;
        readonly to_account_id: string;
        /** All that is held without it. */
        readonly amount_minor_units: bigint | undefined;
      },
      signal: StopSignal,
    ): Promise<Transfer> {
      const { holdId, transferId: id, to_account_id: to, amount_minor_units: amount } = capture;
      const [row] = isUuid(holdId)
        ? await statements.query<CapturedRow>(
            'select * from capture_hold($1, $2, $3, $4, $5, $6, $7)',
            [tenantId, holdId, id, possible(to), amount ?? null, issuer, subject],
            { tenantId, signal },
          )
        : [];
      if (row === undefined) {
        throw holdProblem('hold-not-found', holdId);
      }
      const { refusal, ...captured } = row;
      if (refusal === 'hold-not-found' || refusal === 'hold-not-pending') {
        throw holdProblem(refusal, holdId);
      }
      if (refusal === 'amount-above-hold') {
        throw problem('insufficient-funds', 'The hold reserves less than the amount.');
      }
      if (refusal !== null) {
        throw problem(refusal, transferErrors[refusal](to));
      }
      return completed({ ...captured, id, to_account_id: to });
    },

    /** @throws {Problem} `hold-not-found`, `hold-not-pending` */
    async release({ tenantId, issuer, subject }: Actor, id: string, signal: StopSignal): Promise<Hold> {
      const [row] = isUuid(id)
        ? await statements.query<Hold & { readonly refusal: HoldProblemKind | null }>(
            'select * from release_hold($1, $2, $3, $4)',
            [tenantId, id, issuer, subject],
            { tenantId, signal },
          )
        : [];
      if (row === undefined || row.refusal !== null) {
        throw holdProblem(row?.refusal ?? 'hold-not-found', id);
      }
      return row;
    },
  };
}

/** `hold-not-found` is equal for a missing hold and for another tenant's. */
export function holdProblem(kind: HoldProblemKind, id: string): Problem {
  return problem(
    kind,
    kind === 'hold-not-found'
      ? `There is no hold "${id}".`
      : 'The hold is not pending any more; read it to see how it ended.',
  );
}
