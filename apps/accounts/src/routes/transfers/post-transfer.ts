import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import type { Route } from '@meridian/rest/openapi';
import { v7 as uuidv7 } from 'uuid';

import { accountIdParameter } from '../../accounts/account-id.ts';
import { createTransferStore } from '../../store/transfer-store.ts';
import { availableTransfers, newTransferSchema, transferSchema } from '../../transfers/transfer.ts';

/**
 * `POST /accounts/:id/transfers`: money from this account to another of the tenant.
 * Spec: Resource conventions, "Create a sub-resource action".
 */
export function postTransfer(idempotentWrite: IdempotentWrite<Statements>): Route {
  return creationRoute(
    {
      id: 'createTransfer',
      summary: 'Transfer money to another account',
      description:
        'From the account in the path to the one in the body, both of the same tenant: all of it or nothing. The revision of both accounts rises by one, so that their `ETag`s change.',
      tag: 'Transfers',
      scope: 'transfers:write',
      parameters: [accountIdParameter],
      body: newTransferSchema,
      created: {
        description: 'The amount was transferred.',
        location: 'The path of the transfer.',
        schema: transferSchema,
      },
      problems: [
        'account-not-found',
        'unknown-destination',
        'same-account',
        'insufficient-funds',
        'balance-overflow',
      ],
    },
    { available: availableTransfers, idempotentWrite },
    async (statements, { value, caller, params, signal }) => {
      const transfer = { ...value, id: uuidv7(), from_account_id: params.id };
      const made = await createTransferStore(statements).create(caller, transfer, signal);
      return { location: `/transfers/${made.id}`, made };
    },
  );
}
