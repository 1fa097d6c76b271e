import type { SubgraphContext } from '@meridian/subgraph';
import { listLoaderByKey, loaderById, loaderByKey } from '@meridian/tenant-loaders';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { Stores } from '../store/stores.ts';

/** Creates the loaders of one request. */
export const createLoaders =
  ({ cancellations, customers, lineItems, orders }: Stores) =>
  (scope: TenantScope) => ({
    cancellationByOrder: loaderByKey('cancellationByOrder', scope, cancellations.findByOrders, orderIdOf),
    customerById: loaderById('customerById', scope, customers.findMany),
    lineItemsByOrder: listLoaderByKey('lineItemsByOrder', scope, lineItems.findByOrders, orderIdOf),
    orderById: loaderById('orderById', scope, orders.findMany),
    recommendationsByOrder: listLoaderByKey(
      'recommendationsByOrder',
      scope,
      lineItems.findOrderedTogether,
      orderIdOf,
    ),
  });

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;

const orderIdOf = ({ orderId }: { readonly orderId: string }) => orderId;
