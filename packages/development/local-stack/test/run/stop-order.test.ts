import { expect, it } from '@jest/globals';

import { inStopOrder } from '../../src/run/stop-order.ts';
import { readServices } from '../../src/apps/services.ts';

const services = readServices();

it('inStopOrder stops each service after all its callers', () => {
  expect(inStopOrder(services)).toEqual([
    ['gateway', 'accounts'],
    ['reviews', 'orders', 'users'],
    ['products'],
  ]);
});
