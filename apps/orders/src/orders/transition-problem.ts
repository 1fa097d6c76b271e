import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import type { TransitionFault } from './transition.ts';

/** The problem when an order cannot change. */
export function transitionProblem(fault: TransitionFault, orderId: string): Problem {
  return problem(fault, details[fault](orderId));
}

/** Equal for a missing order and for another tenant's. */
export function orderNotFound(id: string): Problem {
  return transitionProblem('order-not-found', id);
}

const details = {
  'order-not-found': (id) => `There is no order "${id}".`,
  'order-already-cancelled': () => 'The order is cancelled already.',
  'invalid-transition': () =>
    'The current status of the order does not allow this: it goes from placed to paid, shipped and delivered, one step at a time, and can be cancelled until it is shipped.',
} as const satisfies Record<TransitionFault, (orderId: string) => string>;
