import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import {
  createdResponse,
  acceptedType,
  bodySchemaOf,
  idempotencyKeyHeader,
  readOptionalJsonBody,
} from '@meridian/rest';
import type { Statements, IdempotentWrite } from '@meridian/rest';
import { cacheControlHeader, locationHeader } from '@meridian/rest/openapi';
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
    201: {
      description: 'The amount was moved back.',
      headers: [locationHeader('The path of the new transfer.'), cacheControlHeader(privateCacheControl)],
      content: { 'application/json': transferSchema },
    },
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
  return async (request, response) => {
    const caller = callerOf(request);
    acceptedType(request, availableTransfers);
    const body = await readOptionalJsonBody(request, bodySchemaOf(request, newReversal));

    const httpResponse = await idempotentWrite(request, body.bytes, async (statements) => {
      const reversal = { ...body.value, id: uuidv7(), reverses: request.params.id };
      const created = await createTransferStore(statements).reverse(caller, reversal, signalOf(request));
      return createdResponse(`/transfers/${created.id}`, writeTransfer(created));
    });
    sendResponse(request, response, httpResponse);
  };
}
