import type { Cursors } from '@meridian/cursors';
import { callerOf, signalOf } from '@meridian/http';
import type { RequestHandler } from 'express';

import { keysetPage } from '../../pages/keyset-page.ts';
import { pageRequestOf } from '../../pages/page-request.ts';
import { sendPage } from '../../pages/send-page.ts';
import { acceptsTransfers } from '../../transfers/accepts-transfers.ts';
import type { TransferStore } from '../../transfers/transfer-store.ts';
import { writeTransfer } from '../../transfers/transfer.ts';

/**
 * `GET /transfers`: pages by creation time, then identifier, both descending; with `account_id`, only those from or to that account.
 * Spec: Resource conventions, "If the same entity is reachable from two parents".
 */
export function listTransfers(transfers: TransferStore, cursors: Cursors): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptsTransfers(request);
    const asked = pageRequestOf(request);
    const accountId = asked.parameter('account_id');
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
      write: writeTransfer,
    });
    sendPage(request, response, page);
  };
}
