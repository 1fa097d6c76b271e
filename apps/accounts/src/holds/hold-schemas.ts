// A hold in requests and in responses.
import { int64, named, object, oneOf, optional, text, transform } from '@meridian/json';
import type { ReadableSchema, ValueOf } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';

import { accountIdSchema } from '../accounts/account-id.ts';
import { momentSchema } from '../pagination/time-type.ts';
import { amountSchema, referenceSchema } from '../transfers/transfer-schemas.ts';
import { holdStatuses } from './hold.ts';
import type { Hold } from './hold.ts';

export const availableHolds = availableAsJson('Holds are available as application/json.');

/** A client's input for a hold. */
export interface HoldInput extends Pick<Hold, 'amountMinorUnits' | 'reference'> {
  readonly expiresAt: string | undefined;
}

export const newHoldSchema: ReadableSchema<HoldInput> = named(
  'NewHold',
  transform(
    object({
      amount_minor_units: amountSchema,
      expires_at: optional(momentSchema('In 7 days without it; at most in 90 days.')),
      reference: optional(referenceSchema),
    }),
    (members) => ({
      amountMinorUnits: members.amount_minor_units,
      expiresAt: members.expires_at,
      reference: members.reference ?? null,
    }),
  ),
);

/** A client's input for a capture. */
export interface CaptureInput {
  readonly toAccountId: string;
  /** All that is held without it. */
  readonly amountMinorUnits: bigint | undefined;
}

export const newCaptureSchema: ReadableSchema<CaptureInput> = named(
  'NewCapture',
  transform(
    object({
      // Takes any text: the store reports one that no account has as an unknown destination.
      to_account_id: text({ description: 'The account that gets the amount.', examples: ['savings'] }),
      amount_minor_units: optional(amountSchema),
    }),
    (members) => ({ toAccountId: members.to_account_id, amountMinorUnits: members.amount_minor_units }),
  ),
);

/** A release has no members. */
export const newReleaseSchema: ReadableSchema<object> = named('NewRelease', object({}));

export const holdSchema = named(
  'Hold',
  object({
    id: text({ format: 'uuid' }),
    account_id: accountIdSchema,
    amount_minor_units: amountSchema,
    captured_minor_units: int64({ minimum: 0n, description: 'What was transferred of it.' }),
    status: oneOf(holdStatuses),
    expires_at: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
    reference: referenceSchema,
    created_at: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
  }),
);

export function holdMembers(hold: Hold): ValueOf<typeof holdSchema> {
  return {
    id: hold.id,
    account_id: hold.accountId,
    amount_minor_units: hold.amountMinorUnits,
    captured_minor_units: hold.capturedMinorUnits,
    status: hold.status,
    expires_at: hold.expiresAt,
    reference: hold.reference,
    created_at: hold.createdAt,
  };
}

/** A hold as `application/json`. */
export function writeHold(hold: Hold): string {
  return holdSchema.write(holdMembers(hold));
}
