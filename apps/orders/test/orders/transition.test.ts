import { describe, expect, it } from '@jest/globals';

import { refusalOf } from '../../src/orders/transition.ts';
import type { OrderStatus } from '../../src/orders/transition.ts';

const statuses: OrderStatus[] = ['placed', 'paid', 'shipped', 'delivered', 'cancelled'];

describe('refusalOf', () => {
  it('lets an order advance by one status, and be cancelled before it is shipped', () => {
    const allowed = statuses.flatMap((from) =>
      statuses.filter((to) => refusalOf(from, to) === undefined).map((to) => `${from} → ${to}`),
    );
    expect(allowed).toEqual([
      'placed → paid',
      'placed → cancelled',
      'paid → shipped',
      'paid → cancelled',
      'shipped → delivered',
    ]);
  });

  it('distinguishes a second cancellation from other invalid transitions', () => {
    expect(refusalOf('cancelled', 'cancelled')).toBe('order-already-cancelled');
    expect(refusalOf('cancelled', 'paid')).toBe('invalid-transition');
    expect(refusalOf('placed', 'placed')).toBe('invalid-transition');
  });
});
