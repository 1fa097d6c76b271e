import type { EntityTags } from '@meridian/etag';
import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { cacheControlHeader, etagHeader, ifNoneMatchHeader } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { acceptedType, isNotModified } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { availableOrders, orderIdParameter, orderSchema, writeOrder } from '../../orders/order-schemas.ts';
import { taggedOrder } from '../../orders/order-tags.ts';
import { orderNotFound } from '../../orders/transition-problem.ts';
import type { OrderStore } from '../../store/order-store.ts';

const validatorHeaders = [etagHeader, cacheControlHeader(privateCacheControl)];

export const getOrderOperation: Operation = {
  id: 'getOrder',
  summary: 'Read an order',
  tag: 'Orders',
  scope: 'orders:read',
  parameters: [orderIdParameter, ifNoneMatchHeader],
  responses: {
    200: {
      description: 'The order.',
      headers: validatorHeaders,
      content: { 'application/json': orderSchema },
    },
    304: { description: 'The order is still as `If-None-Match` names it.', headers: validatorHeaders },
  },
  problems: ['order-not-found'],
};

/** `GET` and `HEAD /orders/:id`: look up, validators, `If-None-Match`, body. */
export function getOrder(orders: OrderStore, tags: EntityTags): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptedType(request, availableOrders);

    const order = await orders.find(tenantId, request.params.id, signalOf(request));
    if (order === undefined) {
      throw orderNotFound(request.params.id);
    }

    const headers = { ETag: tags.of(taggedOrder(tenantId, order)), 'Cache-Control': privateCacheControl };
    if (isNotModified(request, headers.ETag)) {
      sendResponse(request, response, { status: 304, headers });
    } else {
      sendResponse(request, response, {
        status: 200,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: writeOrder(order),
      });
    }
  };
}
