import { callerOf, signalOf } from '@meridian/http';
import { identifierParameter, jsonDescription, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { problem } from '@meridian/problem-details';
import { acceptedType, sendJson } from '@meridian/rest';

import {
  availableCancellations,
  cancellationMembers,
  cancellationSchema,
} from '../../orders/cancellation-schemas.ts';
import { orderIdParameter } from '../../orders/order-schemas.ts';
import type { CancellationStore } from '../../store/cancellation-store.ts';

/** `GET` and `HEAD /orders/:id/cancellations/:cid`. */
export function getCancellation(cancellations: CancellationStore): Route {
  return route<{ id: string; cid: string }>(
    {
      id: 'getCancellation',
      summary: 'Read a cancellation',
      tag: 'Cancellations',
      scope: 'orders:read',
      parameters: [orderIdParameter, identifierParameter('cid', 'cancellation')],
      responses: {
        200: jsonDescription('The cancellation.', cancellationSchema),
      },
      problems: ['cancellation-not-found'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      const { id: orderId, cid: id } = request.params;
      acceptedType(request, availableCancellations);

      const cancellation = await cancellations.find(tenantId, { orderId, id }, signalOf(request));
      if (cancellation === undefined) {
        throw problem('cancellation-not-found', `The order "${orderId}" has no cancellation "${id}".`);
      }
      sendJson(request, response, cancellationSchema.write(cancellationMembers(cancellation)));
    },
  );
}
