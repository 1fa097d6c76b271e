import { createdResponse, idempotencyKeyHeader, postCreation } from '@meridian/rest';
import type { Statements, IdempotentWrite } from '@meridian/rest';
import { createdDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';

import {
  availableTransfers,
  newReversalSchema,
  transferSchema,
  writeTransfer,
} from '../../transfers/transfer-schemas.ts';
import { createTransferStore } from '../../store/transfer-store.ts';
import { transferIdParameter } from './get-transfer.ts';

const newReversal = { 'application/json': newReversalSchema };

export const postReversalOperation: Operation = {
  id: 'reverseTransfer',
  summary: 'Reverse a transfer',
  description:
    'Moves the amount back, by a new transfer: `reverses` of the new one and `reversed_by` of the old one name each other. Once for each transfer, and not for a reversal.',
  tag: 'Transfers',
  scope: 'transfers:write',
  parameters: [transferIdParameter],
  idempotencyKey: idempotencyKeyHeader,
  body: newReversal,
  bodyIsOptional: true,
  responses: {
    201: createdDescription('The amount was moved back.', 'The path of the new transfer.', transferSchema),
  },
  problems: [
    'transfer-not-found',
    'transfer-already-reversed',
    'transfer-is-reversal',
    'insufficient-funds',
    'balance-overflow',
  ],
};

/**
 * `POST /transfers/:id/reversals`: the transfer in the other direction.
 * Contract: Ledger and events.
 */
export function postReversal(idempotentWrite: IdempotentWrite<Statements>): RequestHandler<{ id: string }> {
  return postCreation(
    { available: availableTransfers, body: newReversal, bodyIsOptional: true, idempotentWrite },
    async (statements, { value, caller, params, signal }) => {
      const reversal = { ...value, id: uuidv7(), reverses: params.id };
      const created = await createTransferStore(statements).reverse(caller, reversal, signal);
      return createdResponse(`/transfers/${created.id}`, writeTransfer(created));
    },
  );
}
