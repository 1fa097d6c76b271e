import { createdResponse, idempotencyKeyHeader, postCreation } from '@meridian/rest';
import type { Statements, IdempotentWrite } from '@meridian/rest';
import { createdDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';

import { newCaptureSchema } from '../../holds/hold-schemas.ts';
import { createHoldStore } from '../../store/hold-store.ts';
import { availableTransfers, transferSchema, writeTransfer } from '../../transfers/transfer-schemas.ts';
import { holdIdParameter } from './get-hold.ts';

const newCapture = { 'application/json': newCaptureSchema };

export const postCaptureOperation: Operation = {
  id: 'captureHold',
  summary: 'Capture a hold',
  description:
    'Transfers what is held to another account of the tenant, or a part of it; the rest is released. Once for each hold.',
  tag: 'Holds',
  scope: 'transfers:write',
  parameters: [holdIdParameter],
  idempotencyKey: idempotencyKeyHeader,
  body: newCapture,
  responses: {
    201: createdDescription('The amount was transferred.', 'The path of the transfer.', transferSchema),
  },
  problems: [
    'hold-not-found',
    'hold-not-pending',
    'unknown-destination',
    'same-account',
    'insufficient-funds',
    'balance-overflow',
  ],
};

/**
 * `POST /holds/:id/captures`.
 * Contract: Ledger and events.
 */
export function postCapture(idempotentWrite: IdempotentWrite<Statements>): RequestHandler<{ id: string }> {
  return postCreation(
    { available: availableTransfers, body: newCapture, idempotentWrite },
    async (statements, { value, caller, params, signal }) => {
      const capture = { ...value, holdId: params.id, transferId: uuidv7() };
      const created = await createHoldStore(statements).capture(caller, capture, signal);
      return createdResponse(`/transfers/${created.id}`, writeTransfer(created));
    },
  );
}
