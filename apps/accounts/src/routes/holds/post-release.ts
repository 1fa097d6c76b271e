import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import type { Route } from '@meridian/rest/openapi';

import { availableHolds, holdSchema, newReleaseSchema } from '../../holds/hold.ts';
import { createHoldStore } from '../../store/hold-store.ts';
import { holdIdParameter } from './get-hold.ts';

/**
 * `POST /holds/:id/releases`.
 * Contract: Ledger and events.
 */
export function postRelease(idempotentWrite: IdempotentWrite<Statements>): Route {
  return creationRoute(
    {
      id: 'releaseHold',
      summary: 'Release a hold',
      description: 'What was held is available again. The revision of the account rises by one.',
      tag: 'Holds',
      scope: 'transfers:write',
      parameters: [holdIdParameter],
      body: newReleaseSchema,
      bodyIsOptional: true,
      created: {
        description: 'The hold was released.',
        location: 'The path of the hold.',
        schema: holdSchema,
      },
      problems: ['hold-not-found', 'hold-not-pending'],
    },
    { available: availableHolds, idempotentWrite },
    async (statements, { caller, params, signal }) => {
      const made = await createHoldStore(statements).release(caller, params.id, signal);
      return { location: `/holds/${made.id}`, made };
    },
  );
}
