import { expect, it } from '@jest/globals';

import { inStopOrder } from '../../src/run/stop-order.ts';
import { services } from '../../src/services.ts';

it('inStopOrder stops each service after all its callers', () => {
  expect(inStopOrder(services)).toEqual([
    ['gateway', 'accounts'],
    ['reviews', 'orders', 'users'],
    ['products'],
  ]);
});
