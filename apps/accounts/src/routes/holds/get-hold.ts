import { callerOf, signalOf } from '@meridian/http';
import { identifierParameter, jsonDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { acceptedType, sendJson } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { availableHolds, holdSchema, writeHold } from '../../holds/hold-schemas.ts';
import { holdProblem } from '../../store/hold-store.ts';
import type { HoldStore } from '../../store/hold-store.ts';

export const holdIdParameter = identifierParameter('id', 'hold');

export const getHoldOperation: Operation = {
  id: 'getHold',
  summary: 'Read a hold',
  description: 'A hold whose time is over is `expired`, at that very moment.',
  tag: 'Holds',
  scope: 'accounts:read',
  parameters: [holdIdParameter],
  responses: {
    200: jsonDescription('The hold.', holdSchema),
  },
  problems: ['hold-not-found'],
};

/** `GET` and `HEAD /holds/:id`. */
export function getHold(holds: HoldStore): RequestHandler<{ id: string }> {
  return async (request, response) => {
    acceptedType(request, availableHolds);
    const { id } = request.params;
    const hold = await holds.find(callerOf(request).tenantId, id, signalOf(request));
    if (hold === undefined) {
      throw holdProblem('hold-not-found', id);
    }
    sendJson(request, response, writeHold(hold));
  };
}
