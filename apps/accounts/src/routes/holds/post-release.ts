import { createdResponse, idempotencyKeyHeader, postCreation } from '@meridian/rest';
import type { Statements, IdempotentWrite } from '@meridian/rest';
import { createdDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import type { RequestHandler } from 'express';

import { availableHolds, holdSchema, newReleaseSchema, writeHold } from '../../holds/hold-schemas.ts';
import { createHoldStore } from '../../store/hold-store.ts';
import { holdIdParameter } from './get-hold.ts';

const newRelease = { 'application/json': newReleaseSchema };

export const postReleaseOperation: Operation = {
  id: 'releaseHold',
  summary: 'Release a hold',
  description: 'What was held is available again. The revision of the account rises by one.',
  tag: 'Holds',
  scope: 'transfers:write',
  parameters: [holdIdParameter],
  idempotencyKey: idempotencyKeyHeader,
  body: newRelease,
  bodyIsOptional: true,
  responses: {
    201: createdDescription('The hold was released.', 'The path of the hold.', holdSchema),
  },
  problems: ['hold-not-found', 'hold-not-pending'],
};

/**
 * `POST /holds/:id/releases`.
 * Contract: Ledger and events.
 */
export function postRelease(idempotentWrite: IdempotentWrite<Statements>): RequestHandler<{ id: string }> {
  return postCreation(
    { available: availableHolds, body: newRelease, bodyIsOptional: true, idempotentWrite },
    async (statements, { caller, params, signal }) => {
      const hold = await createHoldStore(statements).release(caller, params.id, signal);
      return createdResponse(`/holds/${hold.id}`, writeHold(hold));
    },
  );
}
