// A hold in requests and in responses. The rows of the store have the same members.
import { int64, named, object, oneOf, optional, text } from '@meridian/json';
import type { ValueOf } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';

import { accountIdSchema } from '../accounts/account-id.ts';
import { momentSchema } from '../pagination/time-type.ts';
import { amountSchema, destinationSchema, referenceSchema } from '../transfers/transfer.ts';

export const availableHolds = availableAsJson('Holds are available as application/json.');

export const newHoldSchema = named(
  'NewHold',
  object({
    amount_minor_units: amountSchema,
    expires_at: optional(momentSchema('In 7 days without it; at most in 90 days.')),
    reference: optional(referenceSchema),
  }),
);

/** A capture is of all that is held, unless it has an amount. */
export const newCaptureSchema = named(
  'NewCapture',
  object({ to_account_id: destinationSchema, amount_minor_units: optional(amountSchema) }),
);

/** A release has no members. */
export const newReleaseSchema = named('NewRelease', object({}));

export const holdStatuses = ['pending', 'captured', 'released', 'expired'] as const;

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

/** A part of an account's balance that is reserved until it is captured or released, or expires. */
export type Hold = ValueOf<typeof holdSchema>;
