import type { Cursors } from '@meridian/rest';
import { callerOf, signalOf } from '@meridian/http';
import { queryParameter } from '@meridian/openapi';
import type { Operation } from '@meridian/openapi';
import { acceptedType } from '@meridian/rest';
import { text } from '@meridian/values';
import type { RequestHandler } from 'express';

import { keysetPage } from '../../pagination/keyset-page.ts';
import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pageResponse, pageShape } from '../../pagination/page-response.ts';
import { sendPage } from '../../pagination/send-page.ts';
import type { TransferStore } from '../../store/transfer-store.ts';
import { availableTransfers, transferMembers, transferShape } from '../../transfers/transfer-shapes.ts';

const transferPageShape = pageShape('TransferPage', transferShape);

const accountIdParameter = queryParameter('account_id', {
  description: 'Only the transfers from or to this account.',
  // No transfer has an invalid account identifier, such as an empty text.
  type: { ...text, parse: (id) => id },
});

export const listTransfersOperation: Operation = {
  id: 'listTransfers',
  summary: 'List transfers',
  description: 'The transfers of the tenant, or of one account, in pages: newest first.',
  tag: 'Transfers',
  scope: 'accounts:read',
  parameters: [accountIdParameter, ...pageParameters],
  responses: { 200: pageResponse(transferPageShape) },
  problems: ['invalid-cursor'],
};

/**
 * `GET /transfers`: pages by creation time, then identifier, both descending; with `account_id`, only those from or to that account.
 * Spec: Resource conventions, "If the same entity is reachable from two parents".
 */
export function listTransfers(transfers: TransferStore, cursors: Cursors): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptedType(request, availableTransfers);
    const asked = pageRequestOf(request);
    const accountId = accountIdParameter.of(request);
    const scope = {
      tenantId,
      collection: '/transfers',
      filter: accountId === undefined ? '' : `account_id=${accountId}`,
    };

    const page = await keysetPage({
      cursors,
      scope,
      asked,
      load: (behind, limit) => transfers.list(tenantId, { accountId, behind, limit }, signalOf(request)),
      membersOf: transferMembers,
    });
    sendPage(request, response, transferPageShape, page);
  };
}
