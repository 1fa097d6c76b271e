import { problem, type Problem } from '@meridian/problem-details';

import type { TransitionRefusal } from './transition.ts';

/** What a client of the resource API is told when an order stays as it is. */
export function transitionProblem(refusal: TransitionRefusal, orderId: string): Problem {
  return problem(refusal, details[refusal](orderId));
}

/** The same for an order of another tenant as for none. */
export function orderNotFound(id: string): Problem {
  return transitionProblem('order-not-found', id);
}

const details = {
  'order-not-found': (id) => `There is no order "${id}".`,
  'order-already-cancelled': () => 'The order has been cancelled before.',
  'invalid-transition': () => 'The order cannot go there from its current status.',
} as const satisfies Record<TransitionRefusal, (orderId: string) => string>;
