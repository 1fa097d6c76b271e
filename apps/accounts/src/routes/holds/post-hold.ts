import { createdResponse, idempotencyKeyHeader, postCreation } from '@meridian/rest';
import type { Statements, IdempotentWrite } from '@meridian/rest';
import { createdDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';

import { accountIdParameter } from '../../accounts/account-id.ts';
import { availableHolds, holdSchema, newHoldSchema, writeHold } from '../../holds/hold-schemas.ts';
import { createHoldStore } from '../../store/hold-store.ts';

const newHold = { 'application/json': newHoldSchema };

export const postHoldOperation: Operation = {
  id: 'createHold',
  summary: 'Hold a part of a balance',
  description:
    'Reserves the amount: what is available is less by it until the hold is captured or released, or expires. The revision of the account rises by one, so that its `ETag` changes.',
  tag: 'Holds',
  scope: 'transfers:write',
  parameters: [accountIdParameter],
  idempotencyKey: idempotencyKeyHeader,
  body: newHold,
  responses: {
    201: createdDescription('The amount is held.', 'The path of the hold.', holdSchema),
  },
  problems: ['account-not-found', 'insufficient-funds'],
};

/**
 * `POST /accounts/:id/holds`.
 * Contract: Ledger and events.
 */
export function postHold(idempotentWrite: IdempotentWrite<Statements>): RequestHandler<{ id: string }> {
  return postCreation(
    { available: availableHolds, body: newHold, idempotentWrite },
    async (statements, { value, caller, params, signal }) => {
      const hold = { ...value, id: uuidv7(), accountId: params.id };
      const created = await createHoldStore(statements).create(caller, hold, signal);
      return createdResponse(`/holds/${created.id}`, writeHold(created));
    },
  );
}
