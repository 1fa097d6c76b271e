import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import type { Route } from '@meridian/rest/openapi';
import { v7 as uuidv7 } from 'uuid';

import { newCaptureSchema } from '../../holds/hold.ts';
import { createHoldStore } from '../../store/hold-store.ts';
import { availableTransfers, transferSchema } from '../../transfers/transfer.ts';
import { holdIdParameter } from './get-hold.ts';

/**
 * `POST /holds/:id/captures`.
 * Contract: Ledger and events.
 */
export function postCapture(idempotentWrite: IdempotentWrite<Statements>): Route {
  return creationRoute(
    {
      id: 'captureHold',
      summary: 'Capture a hold',
      description:
        'Transfers what is held to another account of the tenant, or a part of it; the rest is released. Once for each hold.',
      tag: 'Holds',
      scope: 'transfers:write',
      parameters: [holdIdParameter],
      body: newCaptureSchema,
      created: {
        description: 'The amount was transferred.',
        location: 'The path of the transfer.',
        schema: transferSchema,
      },
      problems: [
        'hold-not-found',
        'hold-not-pending',
        'unknown-destination',
        'same-account',
        'insufficient-funds',
        'balance-overflow',
      ],
    },
    { available: availableTransfers, idempotentWrite },
    async (statements, { value, caller, params, signal }) => {
      const capture = { ...value, holdId: params.id, transferId: uuidv7() };
      const made = await createHoldStore(statements).capture(caller, capture, signal);
      return { location: `/transfers/${made.id}`, made };
    },
  );
}
