/** The statuses of an order, in their order; or cancelled. */
export const orderStatuses = ['placed', 'paid', 'shipped', 'delivered', 'cancelled'] as const;

export type OrderStatus = (typeof orderStatuses)[number];

/** A status that an order is in without a word on why. */
export type OpenStatus = Exclude<OrderStatus, 'cancelled'>;

/** Where an order can go from each status: on to the next one, or, before it is shipped, to its cancellation. */
const transitions = {
  placed: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>;

/** Why an order stays as it is. */
export type TransitionRefusal = 'order-not-found' | 'order-already-cancelled' | 'invalid-transition';

/** Why an order in one status cannot go to another, or undefined where it can. */
export function refusalOf(from: OrderStatus, to: OrderStatus): TransitionRefusal | undefined {
  if (from === 'cancelled' && to === 'cancelled') {
    return 'order-already-cancelled';
  }
  const reachable: readonly OrderStatus[] = transitions[from];
  return reachable.includes(to) ? undefined : 'invalid-transition';
}
