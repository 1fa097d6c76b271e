import type { EntityTags } from '@meridian/etag';
import { callerOf, signalOf } from '@meridian/http';
import { etagHeader, ifMatchHeader, jsonDescription, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { problem } from '@meridian/problem-details';
import { acceptedType, bodySchemaOf, ifMatchOf, readJsonBody, sendJson, staleEtag } from '@meridian/rest';

import {
  availableOrders,
  orderIdParameter,
  orderPatchSchema,
  orderSchema,
  writeOrder,
} from '../../orders/order-schemas.ts';
import { taggedOrder } from '../../orders/order-tags.ts';
import { orderNotFound, transitionProblem } from '../../orders/transition-problem.ts';
import type { OrderStore } from '../../store/order-store.ts';

const patchMediaType = 'application/merge-patch+json';
const orderPatch = { [patchMediaType]: orderPatchSchema };

/**
 * `PATCH /orders/:id`: If-Match present, body, look up, compare, transition. A patch has one media type: a body without
 * a `Content-Type` is read as such, and any other type is 415. Spec: Resource conventions, "State transition without
 * attributes".
 */
export function patchOrder(orders: OrderStore, tags: EntityTags): Route {
  return route<{ id: string }>(
    {
      id: 'updateOrder',
      summary: 'Move an order to its next status',
      description:
        'From placed to paid, to shipped, to delivered, if the order has not changed since the `ETag` in `If-Match` was read. Cancelling needs a reason, and is a `POST` of a cancellation.',
      tag: 'Orders',
      scope: 'orders:write',
      parameters: [orderIdParameter, ifMatchHeader],
      body: orderPatch,
      responses: {
        200: jsonDescription('The order with its new status.', orderSchema, [etagHeader]),
      },
      problemHeaders: {
        415: [
          {
            name: 'Accept-Patch',
            isRequired: true,
            description: 'The accepted media type of a patch (RFC 5789, section 3.1).',
            schema: { const: patchMediaType },
          },
        ],
      },
      problems: ['if-match-required', 'order-not-found', 'stale-etag', 'invalid-transition'],
    },
    async (request, response) => {
      const caller = callerOf(request);
      const { tenantId } = caller;
      const { id } = request.params;
      const signal = signalOf(request);
      acceptedType(request, availableOrders);
      const schema = bodySchemaOf(request, orderPatch, { 'Accept-Patch': patchMediaType });

      const ifMatch = ifMatchOf(request);

      const { value } = await readJsonBody(request, schema);

      const order = await orders.find(tenantId, id, signal);
      if (order === undefined) {
        throw orderNotFound(id);
      }

      // A check that only fails early: the store compares the revision again, with the order locked.
      if (!tags.matchesIfMatch(ifMatch, taggedOrder(tenantId, order))) {
        throw staleEtag('order', ifMatch);
      }

      const { status: to } = value;
      if (to === 'cancelled') {
        throw cancelledWithoutReason();
      }

      const outcome = await orders.advance(tenantId, order, to, { actor: caller, signal });
      if (outcome === 'conflict') {
        throw staleEtag('order', ifMatch);
      }
      if (typeof outcome === 'string') {
        throw transitionProblem(outcome, id);
      }

      sendJson(request, response, writeOrder(outcome), { ETag: tags.of(taggedOrder(tenantId, outcome)) });
    },
  );
}

function cancelledWithoutReason() {
  return problem(
    'invalid-transition',
    'An order is cancelled by a POST to its cancellations, with a reason.',
  );
}
