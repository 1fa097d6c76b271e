import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { cacheControlHeader } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { problem } from '@meridian/problem-details';
import { acceptedType } from '@meridian/rest';
import type { RequestHandler } from 'express';

import {
  availableCancellations,
  cancellationSchema,
  writeCancellation,
} from '../../orders/cancellation-schemas.ts';
import { orderIdParameter } from '../../orders/order-schemas.ts';
import type { CancellationStore } from '../../store/cancellation-store.ts';

export const getCancellationOperation: Operation = {
  id: 'getCancellation',
  summary: 'Read a cancellation',
  tag: 'Cancellations',
  scope: 'orders:read',
  parameters: [
    orderIdParameter,
    {
      name: 'cid',
      in: 'path',
      isRequired: true,
      description: 'The identifier of the cancellation.',
      schema: { type: 'string', format: 'uuid' },
    },
  ],
  responses: {
    200: {
      description: 'The cancellation.',
      headers: [cacheControlHeader(privateCacheControl)],
      content: { 'application/json': cancellationSchema },
    },
  },
  problems: ['cancellation-not-found'],
};

/** `GET` and `HEAD /orders/:id/cancellations/:cid`. */
export function getCancellation(
  cancellations: CancellationStore,
): RequestHandler<{ id: string; cid: string }> {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    const { id: orderId, cid: id } = request.params;
    acceptedType(request, availableCancellations);

    const cancellation = await cancellations.find(tenantId, { orderId, id }, signalOf(request));
    if (cancellation === undefined) {
      throw problem('cancellation-not-found', `The order "${orderId}" has no cancellation "${id}".`);
    }
    sendResponse(request, response, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': privateCacheControl },
      body: writeCancellation(cancellation),
    });
  };
}
