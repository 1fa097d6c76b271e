import { createEntityTags } from '@meridian/etag';
import {
  createEventCursors,
  createEventWatch,
  createFollowLog,
  eventsRoute,
  openChanges,
} from '@meridian/events';
import { problemRenderer } from '@meridian/http';
import { route, serveRoutes, withOpenApi } from '@meridian/rest/openapi';
import type { RouteTable } from '@meridian/rest/openapi';
import { createCursors, handleStoreErrors, idempotentTransaction } from '@meridian/rest';
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
import { getCancellation, getCancellationOperation } from './routes/cancellations/get-cancellation.ts';
import { postCancellation, postCancellationOperation } from './routes/cancellations/post-cancellation.ts';
import { getOrder, getOrderOperation } from './routes/orders/get-order.ts';
import { patchOrder, patchOrderOperation } from './routes/orders/patch-order.ts';
import { createStores } from './store/stores.ts';

export type AppDependencies = ServiceDependencies & ResourceConfig;

/** The orders service: what customers order, and how far their orders have come, as a subgraph and as resources. */
export function createApp({
  database,
  etagKeys,
  cursorKeys,
  tenantRequestsPerSecond,
  ...hosting
}: AppDependencies): Promise<ServedSubgraph> {
  const { verifier, limitLoad, waitingRequests, problemBaseUrl, redis } = hosting;
  const stores = createStores(database);
  const changes = openChanges({ service: 'orders', database, redis });
  const watch = createEventWatch({ ...hosting, store: stores.events, changes });
  const cursors = createEventCursors(createCursors({ keys: cursorKeys }));
  const tags = createEntityTags({ keys: etagKeys });
  const renderProblem = problemRenderer(problemBaseUrl);
  const idempotentWrite = idempotentTransaction({ database, renderProblem });

  const routes: RouteTable = {
    '/events': {
      GET: eventsRoute({
        source: orderEvents,
        store: stores.events,
        cursors,
        watch,
        waitingRequests,
      }),
    },
    '/orders/:id': {
      GET: route(getOrderOperation, getOrder(stores.orders, tags)),
      PATCH: route(patchOrderOperation, patchOrder(stores.orders, tags)),
    },
    '/orders/:id/cancellations': {
      POST: route(postCancellationOperation, postCancellation(stores.orders, idempotentWrite)),
    },
    '/orders/:id/cancellations/:cid': {
      GET: route(getCancellationOperation, getCancellation(stores.cancellations)),
    },
  };

  return createSubgraph({
    ...hosting,
    schema: new URL('../schema.graphql', import.meta.url),
    resolvers: {
      Query: createQuery(stores),
      Mutation: createMutation(stores, changes),
      Subscription: createSubscription(createFollowLog({ store: stores.events, watch, cursors })),
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
        onWrite: (tenantId) => changes.tell(tenantId),
      });
      app.use(handleStoreErrors('order'));
    },
  });
}
