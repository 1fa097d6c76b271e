// A delivery in responses: an event on its way to a webhook. The rows of the store have the same members.
import { int64, named, nullable, object, oneOf, text } from '@meridian/json';
import type { ValueOf } from '@meridian/json';

/** The causes of a failed attempt. They say nothing that only the service's network knows. */
const deliveryErrors = [
  // A response with another status than 2xx, and with one of 3xx.
  'status',
  'redirect',
  // No response within the deadline.
  'timeout',
  // The name does not resolve, the connection or its TLS failed, the response is not valid HTTP.
  'name-not-found',
  'connection-failed',
  'tls-failed',
  'invalid-response',
  'address-not-allowed',
  // The service cannot decrypt the secrets any more.
  'secret-lost',
  // The log does not have the event any more.
  'event-dropped',
] as const;

export type DeliveryError = (typeof deliveryErrors)[number];

export const deliverySchema = named(
  'Delivery',
  object({
    id: text({ format: 'uuid' }),
    event_id: text({
      format: 'uuid',
      description: 'The `id` of the event, and the `webhook-id` of each attempt.',
    }),
    status: oneOf(['pending', 'delivered', 'failed']),
    attempts: int64({ minimum: 0n, description: 'The attempts that have ended.' }),
    last_status: nullable(
      int64({ minimum: 100n, description: 'Of the last response; null where none came.' }),
    ),
    last_error: nullable(oneOf(deliveryErrors)),
    next_attempt_at: nullable(text({ format: 'date-time', description: 'Null unless it is pending.' })),
  }),
);

/** A delivery, with the time by which a page is continued. */
export type Delivery = ValueOf<typeof deliverySchema> & { readonly created_at: string };

/** A retry has no members. */
export const newRetrySchema = named('NewRetry', object({}));
