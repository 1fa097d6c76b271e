// A cancellation in requests and in responses.
import { named, object, text } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';

import { cancellationReason } from './cancellation-reason.ts';
import type { Cancellation } from './cancellation.ts';

export const availableCancellations = availableAsJson('Cancellations are available as application/json.');

export const newCancellationSchema = named('NewCancellation', object({ reason: cancellationReason }));

export const cancellationSchema = named(
  'Cancellation',
  object({
    id: text({ format: 'uuid' }),
    order_id: text({ format: 'uuid' }),
    reason: text({ description: 'Why the order was cancelled.', examples: ['ordered twice'] }),
    actor: text({ description: 'The `sub` of the token that it was cancelled with.', examples: ['alice'] }),
    created_at: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
  }),
);

/** A cancellation as clients of the resource see it. */
export function cancellationMembers({ id, orderId, reason, actor, createdAt }: Cancellation) {
  return { id, order_id: orderId, reason, actor, created_at: createdAt };
}
