import { createdResponse, idempotencyKeyHeader, postCreation } from '@meridian/rest';
import type { Statements, IdempotentWrite } from '@meridian/rest';
import { createdDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';

import { accountIdParameter } from '../../accounts/account-id.ts';
import {
  availableTransfers,
  newTransferSchema,
  transferSchema,
  writeTransfer,
} from '../../transfers/transfer-schemas.ts';
import { createTransferStore } from '../../store/transfer-store.ts';

const newTransfer = { 'application/json': newTransferSchema };

export const postTransferOperation: Operation = {
  id: 'createTransfer',
  summary: 'Transfer money to another account',
  description:
    'From the account in the path to the one in the body, both of the same tenant: all of it or nothing. The revision of both accounts rises by one, so that their `ETag`s change.',
  tag: 'Transfers',
  scope: 'transfers:write',
  parameters: [accountIdParameter],
  idempotencyKey: idempotencyKeyHeader,
  body: newTransfer,
  responses: {
    201: createdDescription('The amount was transferred.', 'The path of the transfer.', transferSchema),
  },
  problems: [
    'account-not-found',
    'unknown-destination',
    'same-account',
    'insufficient-funds',
    'balance-overflow',
  ],
};

/**
 * `POST /accounts/:id/transfers`: money from this account to another of the tenant.
 * Spec: Resource conventions, "Create a sub-resource action".
 */
export function postTransfer(idempotentWrite: IdempotentWrite<Statements>): RequestHandler<{ id: string }> {
  return postCreation(
    { available: availableTransfers, body: newTransfer, idempotentWrite },
    async (statements, { value, caller, params, signal }) => {
      const transfer = { ...value, id: uuidv7(), fromAccountId: params.id };
      const created = await createTransferStore(statements).create(caller, transfer, signal);
      return createdResponse(`/transfers/${created.id}`, writeTransfer(created));
    },
  );
}
