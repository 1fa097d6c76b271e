import { int64, int64Difference, named, nullable, object, oneOf, text } from '@meridian/json';
import type { ValueOf } from '@meridian/json';

import { accountIdSchema } from '../accounts/account-id.ts';
import { balanceSchema } from '../accounts/representations.ts';
import { publicId } from './entry.ts';
import type { Entry } from './entry.ts';

export const entrySchema = named(
  'Entry',
  object({
    id: text({ format: 'uuid' }),
    account_id: accountIdSchema,
    kind: oneOf(['opening', 'adjustment', 'transfer'], {
      description: 'The first balance, a balance that was set, or money from or to another account.',
    }),
    transfer_id: nullable(text({ format: 'uuid', description: 'The transfer; null for the other kinds.' })),
    amount_minor_units: int64Difference({
      description: 'What the balance changed by, in minor currency units; an adjustment may need 65 bits.',
      examples: [-1250n],
    }),
    balance_minor_units: int64({ description: 'The balance after the entry.', examples: [1250n] }),
    actor: nullable(
      object(
        { issuer: text(), subject: text() },
        { description: 'Of the token that the change was made with; null before it was recorded.' },
      ),
    ),
    created_at: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
  }),
);

/** An entry of an account as clients see it. */
export function entryMembers(tenantId: string, accountId: string, entry: Entry): ValueOf<typeof entrySchema> {
  const { transfer_id, is_first: isFirst, actor_issuer: issuer, actor_subject: subject } = entry;
  const kindWithoutTransfer = isFirst ? 'opening' : 'adjustment';
  return {
    ...entry,
    id: publicId(tenantId, accountId, entry),
    account_id: accountId,
    kind: transfer_id === null ? kindWithoutTransfer : 'transfer',
    amount_minor_units: BigInt(entry.amount_minor_units),
    actor: issuer === null || subject === null ? null : { issuer, subject },
  };
}

export const balanceAtSchema = named(
  'BalanceAt',
  object({
    account_id: accountIdSchema,
    balance_minor_units: balanceSchema,
    at: text({ format: 'date-time', description: 'The moment of the balance, in UTC, with microseconds.' }),
  }),
);
