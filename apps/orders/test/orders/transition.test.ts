import { describe, expect, it } from '@jest/globals';

import { faultOf } from '../../src/orders/transition.ts';
import type { OrderStatus } from '../../src/orders/transition.ts';

const statuses: OrderStatus[] = ['placed', 'paid', 'shipped', 'delivered', 'cancelled'];

describe('faultOf', () => {
  it('lets an order advance by one status, and be cancelled before it is shipped', () => {
    const allowed = statuses.flatMap((from) =>
      statuses.filter((to) => faultOf(from, to) === undefined).map((to) => `${from} → ${to}`),
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
    expect(faultOf('cancelled', 'cancelled')).toBe('order-already-cancelled');
    expect(faultOf('cancelled', 'paid')).toBe('invalid-transition');
    expect(faultOf('placed', 'placed')).toBe('invalid-transition');
  });
});
