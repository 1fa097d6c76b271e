import { callerOf, sendAnswer, signalOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { RequestHandler } from 'express';

import { acceptsTransfers } from '../../transfers/accepts-transfers.ts';
import type { TransferStore } from '../../transfers/transfer-store.ts';
import { writeTransfer } from '../../transfers/transfer.ts';

/** `GET` and `HEAD /transfers/:id`. */
export function getTransfer(transfers: TransferStore): RequestHandler<{ id: string }> {
  return async (request, response) => {
    acceptsTransfers(request);
    const { id } = request.params;
    const transfer = await transfers.find(callerOf(request).tenantId, id, signalOf(request));
    if (transfer === undefined) throw problem('transfer-not-found', `There is no transfer "${id}".`);
    sendAnswer(request, response, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'private, max-age=0, must-revalidate' },
      body: writeTransfer(transfer),
    });
  };
}
