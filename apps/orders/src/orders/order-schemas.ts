// An order in responses, and the part of it that a client can change.
import { named, nullable, object, oneOf, text } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';
import { identifierParameter } from '@meridian/rest/openapi';

import type { Order } from './order.ts';
import { orderStatuses } from './transition.ts';

export const availableOrders = availableAsJson('Orders are available as application/json.');

export const orderIdParameter = identifierParameter('id', 'order');

const statusSchema = oneOf(orderStatuses, {
  description:
    'The progress of the order: placed, paid, shipped, delivered. Placed and paid orders can be cancelled.',
});

export const orderSchema = named(
  'Order',
  object({
    id: text({ format: 'uuid' }),
    status: statusSchema,
    customer_id: nullable(text({ format: 'uuid', description: 'The customer, if known.' })),
    created_at: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
  }),
);

/** A merge patch (RFC 7396) of an order, which has one member that can be set. */
export const orderPatchSchema = named('OrderPatch', object({ status: statusSchema }));

/** An order as `application/json`. */
export function writeOrder({ id, status, customerId, createdAt }: Order): string {
  return orderSchema.write({ id, status, customer_id: customerId, created_at: createdAt });
}
