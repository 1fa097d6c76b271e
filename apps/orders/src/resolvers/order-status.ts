import type { OrderStatus as StoredStatus } from '../orders/transition.ts';

/** The internal value of each status: the database and the resource API use lower case. */
export const OrderStatus = {
  PLACED: 'placed',
  PAID: 'paid',
  SHIPPED: 'shipped',
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
} as const satisfies Record<Uppercase<StoredStatus>, StoredStatus>;
