import type { SubgraphContext } from '@meridian/subgraph';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { Stores } from '../store/stores.ts';
import { cancellationByOrder } from './cancellation-by-order.ts';
import { customerById } from './customer-by-id.ts';
import { lineItemsByOrder } from './line-items-by-order.ts';
import { orderById } from './order-by-id.ts';
import { recommendationsByOrder } from './recommendations-by-order.ts';

/** Makes the loaders of one request. */
export const createLoaders =
  ({ cancellations, customers, lineItems, orders }: Stores) =>
  (scope: TenantScope) => ({
    cancellationByOrder: cancellationByOrder(cancellations, scope),
    customerById: customerById(customers, scope),
    lineItemsByOrder: lineItemsByOrder(lineItems, scope),
    orderById: orderById(orders, scope),
    recommendationsByOrder: recommendationsByOrder(lineItems, scope),
  });

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
