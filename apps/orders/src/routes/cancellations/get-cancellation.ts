import { callerOf, signalOf } from '@meridian/http';
import { identifierParameter, jsonDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { problem } from '@meridian/problem-details';
import { acceptedType, sendJson } from '@meridian/rest';
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
  parameters: [orderIdParameter, identifierParameter('cid', 'cancellation')],
  responses: {
    200: jsonDescription('The cancellation.', cancellationSchema),
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
    sendJson(request, response, writeCancellation(cancellation));
  };
}
