/** The statuses of an order, in their order; or cancelled. */
export const orderStatuses = ['placed', 'paid', 'shipped', 'delivered', 'cancelled'] as const;

export type OrderStatus = (typeof orderStatuses)[number];

/** A status that needs no reason. */
export type OpenStatus = Exclude<OrderStatus, 'cancelled'>;

/** The statuses that can follow each status: the next one or, before it is shipped, the cancellation. */
const transitions = {
  placed: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>;

/** The reason why an order keeps its status. */
export type TransitionFault = 'order-not-found' | 'order-already-cancelled' | 'invalid-transition';

/** The reason why one status cannot follow another; undefined where it can. */
export function faultOf(from: OrderStatus, to: OrderStatus): TransitionFault | undefined {
  if (from === 'cancelled' && to === 'cancelled') {
    return 'order-already-cancelled';
  }
  const reachable: readonly OrderStatus[] = transitions[from];
  return reachable.includes(to) ? undefined : 'invalid-transition';
}
