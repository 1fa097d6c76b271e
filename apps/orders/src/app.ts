import { createEntityTags } from '@meridian/etag';
import { eventsRoute, openEventLog } from '@meridian/events';
import { problemRenderer } from '@meridian/http';
import { serveRoutes, withOpenApi } from '@meridian/rest/openapi';
import type { RouteTable } from '@meridian/rest/openapi';
import { handleStoreErrors, idempotentTransaction } from '@meridian/rest';
import { tenantThrottle } from '@meridian/service';
import type { ResourceConfig, ServiceDependencies } from '@meridian/service';
import { createSubgraph } from '@meridian/subgraph';
import type { ServedSubgraph } from '@meridian/subgraph';

import { apiDescription } from './api-description.ts';
import { orderEvents } from './events/order-events.ts';
import { createLoaders } from './loaders/loaders.ts';
import { Cancellation } from './resolvers/cancellation.ts';
import { LineItem } from './resolvers/line-item.ts';
import { createMutation } from './resolvers/mutation.ts';
import { OrderStatus } from './resolvers/order-status.ts';
import { Order } from './resolvers/order.ts';
import { Product } from './resolvers/product.ts';
import { createQuery } from './resolvers/query.ts';
import { createSubscription } from './resolvers/subscription.ts';
import { getCancellation } from './routes/cancellations/get-cancellation.ts';
import { postCancellation } from './routes/cancellations/post-cancellation.ts';
import { getOrder } from './routes/orders/get-order.ts';
import { patchOrder } from './routes/orders/patch-order.ts';
import { createStores } from './store/stores.ts';

export type AppDependencies = ServiceDependencies & ResourceConfig;

/** The orders service: what customers order, and how far their orders have come, as a subgraph and as resources. */
export function createApp({
  database,
  etagKeys,
  tenantRequestsPerSecond,
  ...hosting
}: AppDependencies): Promise<ServedSubgraph> {
  const { verifier, limitLoad, waitingRequests, problemBaseUrl, redis } = hosting;
  const stores = createStores(database);
  const events = openEventLog({ ...hosting, database, service: 'orders' });
  const tags = createEntityTags({ keys: etagKeys });
  const renderProblem = problemRenderer(problemBaseUrl);
  const idempotentWrite = idempotentTransaction({ database, renderProblem });

  const routes: RouteTable = {
    '/events': {
      GET: eventsRoute({ ...events, source: orderEvents, waitingRequests }),
    },
    '/orders/:id': {
      GET: getOrder(stores.orders, tags),
      PATCH: patchOrder(stores.orders, tags),
    },
    '/orders/:id/cancellations': {
      POST: postCancellation(stores.orders, idempotentWrite),
    },
    '/orders/:id/cancellations/:cid': {
      GET: getCancellation(stores.cancellations),
    },
  };

  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: {
      Query: createQuery(stores),
      Mutation: createMutation(stores, events.changes),
      Subscription: createSubscription(events.followLog),
      Order,
      OrderStatus,
      LineItem,
      Cancellation,
      Product,
    },
    createLoaders: createLoaders(stores),
    addRoutes(app) {
      const throttle = tenantThrottle('orders', { redis, tenantRequestsPerSecond });
      serveRoutes(app, withOpenApi(routes, { ...apiDescription, problemBaseUrl }), {
        verifier,
        throttle,
        limitLoad,
        onWrite: (tenantId) => events.changes.tell(tenantId),
      });
      app.use(handleStoreErrors('order'));
    },
  });
}
