import type { EventSource } from '@meridian/events';

import { orderSchema } from '../orders/order-schemas.ts';

/** The events of this service. Contract: Ledger and events. */
export const orderEvents: EventSource = {
  source: '/orders',
  types: ['order.placed', 'order.status-changed', 'order.cancelled'],
  data: [orderSchema],
};
