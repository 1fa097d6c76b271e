import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import type { Route } from '@meridian/rest/openapi';
import { v7 as uuidv7 } from 'uuid';

import { accountIdParameter } from '../../accounts/account-id.ts';
import { availableHolds, holdSchema, newHoldSchema } from '../../holds/hold.ts';
import { createHoldStore } from '../../store/hold-store.ts';

/**
 * `POST /accounts/:id/holds`.
 * Contract: Ledger and events.
 */
export function postHold(idempotentWrite: IdempotentWrite<Statements>): Route {
  return creationRoute(
    {
      id: 'createHold',
      summary: 'Hold a part of a balance',
      description:
        'Reserves the amount: what is available is less by it until the hold is captured or released, or expires. The revision of the account rises by one, so that its `ETag` changes.',
      tag: 'Holds',
      scope: 'transfers:write',
      parameters: [accountIdParameter],
      body: newHoldSchema,
      created: {
        description: 'The amount is held.',
        location: 'The path of the hold.',
        schema: holdSchema,
      },
      problems: ['account-not-found', 'insufficient-funds'],
    },
    { available: availableHolds, idempotentWrite },
    async (statements, { value, caller, params, signal }) => {
      const hold = { ...value, id: uuidv7(), account_id: params.id };
      const made = await createHoldStore(statements).create(caller, hold, signal);
      return { location: `/holds/${made.id}`, made };
    },
  );
}
