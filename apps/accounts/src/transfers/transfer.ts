// A transfer in requests and in responses. The rows of the store have the same members.
import { int64, named, nullable, object, oneOf, optional, printable, text } from '@meridian/json';
import type { ValueOf } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';

import { accountIdSchema } from '../accounts/account-id.ts';

export const availableTransfers = availableAsJson('Transfers are available as application/json.');

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

/** Takes any text: the store reports one that no account has as an unknown destination. */
export const destinationSchema = text({
  description: 'The account that gets the amount.',
  examples: ['savings'],
});

export const newTransferSchema = named(
  'NewTransfer',
  object({
    to_account_id: destinationSchema,
    amount_minor_units: amountSchema,
    reference: optional(referenceSchema),
  }),
);

export const newReversalSchema = named('NewReversal', object({ reference: optional(referenceSchema) }));

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

/** Money that moved from one account of a tenant to another. */
export type Transfer = ValueOf<typeof transferSchema>;

/** A transfer, with the store's own random value, which is renewed when it is restored from a backup. */
export type StoredTransfer = Transfer & { readonly store_epoch: string };

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for a UUID in the service's notation: what transfers and holds have for identifiers. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
