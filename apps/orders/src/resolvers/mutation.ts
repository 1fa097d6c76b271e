import type { Changes } from '@meridian/events';
import { clientError, createIdentifier, checkIdentifier, checkInteger } from '@meridian/subgraph';
import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import { faultOfReason } from '../orders/cancellation-reason.ts';
import type { NewLineItem } from '../orders/line-item.ts';
import type { TransitionFault } from '../orders/transition.ts';
import type { Stores } from '../store/stores.ts';

export const createMutation = ({ orders }: Stores, changes: Pick<Changes, 'tell'>) =>
  ({
    placeOrder: async (
      _mutation,
      { customerId = null, items }: { customerId?: string | null; items: readonly NewLineItem[] },
      { caller, loaders, signal },
    ) => {
      checkLineItems(items);
      if (customerId !== null && (await loaders.customerById.load(customerId)) === null) {
        throw clientError('NOT_FOUND', 'There is no such customer');
      }
      const [order] = await orders.insertMany(
        caller.tenantId,
        [{ id: createIdentifier(), customerId, lineItems: items }],
        { actor: caller, signal },
      );
      changes.tell(caller.tenantId);
      return order;
    },

    cancelOrder: async (_mutation, { id, reason }: { id: string; reason: string }, { caller, signal }) => {
      const fault = faultOfReason(reason);
      if (fault !== undefined) {
        throw clientError('BAD_USER_INPUT', fault);
      }
      const cancellation = {
        id: createIdentifier(),
        reason,
        actorIssuer: caller.issuer,
        actor: caller.subject,
      };
      const outcome = await orders.cancel(caller.tenantId, id, cancellation, signal);
      if (typeof outcome === 'string') {
        const { code, message } = messages[outcome];
        throw clientError(code, message);
      }
      changes.tell(caller.tenantId);
      return outcome.order;
    },
  }) satisfies FieldResolvers<unknown, Context>;

/** The client's message for each rejection. */
const messages = {
  'order-not-found': { code: 'NOT_FOUND', message: 'There is no such order' },
  'order-already-cancelled': {
    code: 'ORDER_ALREADY_CANCELLED',
    message: 'The order has been cancelled before',
  },
  'invalid-transition': {
    code: 'INVALID_TRANSITION',
    message: 'The order is on its way and cannot be cancelled',
  },
} as const satisfies Record<TransitionFault, object>;

/** The max line items that an order has. */
const maxLineItems = 100;

/**
 * Checks the items of a new order.
 *
 * @throws {ClientError} `BAD_USER_INPUT`
 */
function checkLineItems(items: readonly NewLineItem[]): void {
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
