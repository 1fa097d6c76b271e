import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import type { Route } from '@meridian/rest/openapi';
import { v7 as uuidv7 } from 'uuid';

import { createTransferStore } from '../../store/transfer-store.ts';
import { availableTransfers, newReversalSchema, transferSchema } from '../../transfers/transfer.ts';
import { transferIdParameter } from './get-transfer.ts';

/**
 * `POST /transfers/:id/reversals`: the transfer in the other direction.
 * Contract: Ledger and events.
 */
export function postReversal(idempotentWrite: IdempotentWrite<Statements>): Route {
  return creationRoute(
    {
      id: 'reverseTransfer',
      summary: 'Reverse a transfer',
      description:
        'Moves the amount back, by a new transfer: `reverses` of the new one and `reversed_by` of the old one name each other. Once for each transfer, and not for a reversal.',
      tag: 'Transfers',
      scope: 'transfers:write',
      parameters: [transferIdParameter],
      body: newReversalSchema,
      bodyIsOptional: true,
      created: {
        description: 'The amount was moved back.',
        location: 'The path of the new transfer.',
        schema: transferSchema,
      },
      problems: [
        'transfer-not-found',
        'transfer-already-reversed',
        'transfer-is-reversal',
        'insufficient-funds',
        'balance-overflow',
      ],
    },
    { available: availableTransfers, idempotentWrite },
    async (statements, { value, caller, params, signal }) => {
      const reversal = { ...value, id: uuidv7(), reverses: params.id };
      const made = await createTransferStore(statements).reverse(caller, reversal, signal);
      return { location: `/transfers/${made.id}`, made };
    },
  );
}
