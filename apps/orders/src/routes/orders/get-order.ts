import type { EntityTags } from '@meridian/etag';
import { callerOf, signalOf } from '@meridian/http';
import { ifNoneMatchHeader, taggedDescriptions, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, sendTagged } from '@meridian/rest';

import { availableOrders, orderIdParameter, orderSchema, writeOrder } from '../../orders/order-schemas.ts';
import { taggedOrder } from '../../orders/order-tags.ts';
import { orderNotFound } from '../../orders/transition-problem.ts';
import type { OrderStore } from '../../store/order-store.ts';

/** `GET` and `HEAD /orders/:id`: look up, validators, `If-None-Match`, body. */
export function getOrder(orders: OrderStore, tags: EntityTags): Route {
  return route<{ id: string }>(
    {
      id: 'getOrder',
      summary: 'Read an order',
      tag: 'Orders',
      scope: 'orders:read',
      parameters: [orderIdParameter, ifNoneMatchHeader],
      responses: taggedDescriptions('The order', { 'application/json': orderSchema }),
      problems: ['order-not-found'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      acceptedType(request, availableOrders);

      const order = await orders.find(tenantId, request.params.id, signalOf(request));
      if (order === undefined) {
        throw orderNotFound(request.params.id);
      }

      sendTagged(request, response, {
        etag: tags.of(taggedOrder(tenantId, order)),
        write: () => writeOrder(order),
      });
    },
  );
}
