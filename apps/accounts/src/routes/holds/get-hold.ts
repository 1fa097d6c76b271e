import { callerOf, signalOf } from '@meridian/http';
import { identifierParameter, jsonDescription, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, sendJson } from '@meridian/rest';

import { availableHolds, holdSchema } from '../../holds/hold.ts';
import { holdProblem } from '../../store/hold-store.ts';
import type { HoldStore } from '../../store/hold-store.ts';

export const holdIdParameter = identifierParameter('id', 'hold');

/** `GET` and `HEAD /holds/:id`. */
export function getHold(holds: HoldStore): Route {
  return route<{ id: string }>(
    {
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
    },
    async (request, response) => {
      acceptedType(request, availableHolds);
      const { id } = request.params;
      const hold = await holds.find(callerOf(request).tenantId, id, signalOf(request));
      if (hold === undefined) {
        throw holdProblem('hold-not-found', id);
      }
      sendJson(request, response, holdSchema.write(hold));
    },
  );
}
