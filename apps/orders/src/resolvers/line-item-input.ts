import { checkIdentifier, checkInteger, clientError } from '@meridian/subgraph';

import type { NewLineItem } from '../orders/line-item.ts';

/** The max line items that an order has. */
const maxLineItems = 100;

/**
 * Checks the items of a new order.
 *
 * @throws {ClientError} `BAD_USER_INPUT`
 */
export function checkLineItems(items: readonly NewLineItem[]): void {
  checkInteger('the number of items', items.length, { min: 1, max: maxLineItems });
  for (const { productId, quantity, unitPriceMinorUnits } of items) {
    checkIdentifier('productId', productId);
    checkInteger('quantity', quantity, { min: 1, max: 1000 });
    checkInteger('unitPriceMinorUnits', unitPriceMinorUnits, { min: 0, max: 2 ** 31 - 1 });
  }
  if (new Set(items.map((item) => item.productId)).size < items.length) {
    throw clientError('BAD_USER_INPUT', 'items takes each product once');
  }
}
