import type { OrderStatus as StoredStatus } from '../orders/transition.ts';

/** What stands for each value inside: the database and the resource API spell them in lower case. */
export const OrderStatus = {
  PLACED: 'placed',
  PAID: 'paid',
  SHIPPED: 'shipped',
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
} as const satisfies Record<Uppercase<StoredStatus>, StoredStatus>;
