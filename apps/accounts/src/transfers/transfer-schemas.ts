// A transfer in requests and in responses.
import { int64, named, nullable, object, oneOf, optional, printable, transform, text } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';
import type { ReadableSchema, ValueOf } from '@meridian/json';

import { accountIdSchema } from '../accounts/account-id.ts';
import type { Transfer } from './transfer.ts';

export const availableTransfers = availableAsJson('Transfers are available as application/json.');

/** A client's input for a transfer. */
export type TransferInput = Pick<Transfer, 'toAccountId' | 'amountMinorUnits' | 'reference'>;

export const amountSchema = int64({
  minimum: 1n,
  description: 'How much, in minor currency units.',
  examples: [1250n],
});

const maxReferenceLength = 255;

export const referenceSchema = nullable(
  text({
    // PostgreSQL's text has no U+0000, and any other control character is a mistake.
    pattern: printable,
    maxLength: maxReferenceLength,
    takes: `a string of at most ${maxReferenceLength} printable characters`,
    description: 'What the transfer is for.',
    examples: ['rent'],
  }),
);

export const newTransferSchema: ReadableSchema<TransferInput> = named(
  'NewTransfer',
  transform(
    object({
      // Takes any text: the store reports one that no account has as an unknown destination.
      to_account_id: text({ description: 'The account that gets the amount.', examples: ['savings'] }),
      amount_minor_units: amountSchema,
      reference: optional(referenceSchema),
    }),
    (members) => ({
      toAccountId: members.to_account_id,
      amountMinorUnits: members.amount_minor_units,
      reference: members.reference ?? null,
    }),
  ),
);

/** A client's input for a reversal. */
export const newReversalSchema: ReadableSchema<{ readonly reference: string | null }> = named(
  'NewReversal',
  transform(object({ reference: optional(referenceSchema) }), ({ reference }) => ({
    reference: reference ?? null,
  })),
);

export const transferSchema = named(
  'Transfer',
  object({
    id: text({ format: 'uuid' }),
    from_account_id: accountIdSchema,
    to_account_id: accountIdSchema,
    amount_minor_units: amountSchema,
    reference: referenceSchema,
    status: oneOf(['completed']),
    reverses: nullable(text({ format: 'uuid', description: 'The transfer that this one reverses.' })),
    reversed_by: nullable(text({ format: 'uuid', description: 'The transfer that reverses this one.' })),
    created_at: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
  }),
);

export function transferMembers(transfer: Transfer): ValueOf<typeof transferSchema> {
  return {
    id: transfer.id,
    from_account_id: transfer.fromAccountId,
    to_account_id: transfer.toAccountId,
    amount_minor_units: transfer.amountMinorUnits,
    reference: transfer.reference,
    status: transfer.status,
    reverses: transfer.reverses,
    reversed_by: transfer.reversedBy,
    created_at: transfer.createdAt,
  };
}

/** A transfer as `application/json`. */
export function writeTransfer(transfer: Transfer): string {
  return transferSchema.write(transferMembers(transfer));
}
