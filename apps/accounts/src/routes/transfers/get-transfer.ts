import { callerOf, signalOf } from '@meridian/http';
import { identifierParameter, ifNoneMatchHeader, taggedDescriptions, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, sendTagged } from '@meridian/rest';

import { availableTransfers, transferSchema } from '../../transfers/transfer.ts';
import { transferNotFound } from '../../store/transfer-store.ts';
import type { TransferStore } from '../../store/transfer-store.ts';
import type { TransferTag } from '../../transfers/transfer-tags.ts';

export const transferIdParameter = identifierParameter('id', 'transfer');

/** `GET` and `HEAD /transfers/:id`. */
export function getTransfer(transfers: TransferStore, tagOf: TransferTag): Route {
  return route<{ id: string }>(
    {
      id: 'getTransfer',
      summary: 'Read a transfer',
      tag: 'Transfers',
      scope: 'accounts:read',
      parameters: [transferIdParameter, ifNoneMatchHeader],
      responses: taggedDescriptions('The transfer', { 'application/json': transferSchema }),
      problems: ['transfer-not-found'],
    },
    async (request, response) => {
      acceptedType(request, availableTransfers);
      const { id } = request.params;
      const { tenantId } = callerOf(request);
      const transfer = await transfers.find(tenantId, id, signalOf(request));
      if (transfer === undefined) {
        throw transferNotFound(id);
      }
      sendTagged(request, response, {
        etag: tagOf(tenantId, transfer),
        write: () => transferSchema.write(transfer),
      });
    },
  );
}
