import { callerOf, contentTypeOf, sendAnswer, signalOf } from '@meridian/http';
import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';

import { readJsonBody } from '../../json-body/read-json-body.ts';
import type { WriteOnce } from '../../store/write-once.ts';
import { acceptsTransfers } from '../../transfers/accepts-transfers.ts';
import { parseTransfer } from '../../transfers/transfer-body.ts';
import { createTransferStore } from '../../transfers/transfer-store.ts';
import { writeTransfer } from '../../transfers/transfer.ts';

/**
 * `POST /accounts/:id/transfers`: money from this account to another of the tenant.
 * Spec: Resource conventions, "Create a sub-resource action".
 */
export function postTransfer(writeOnce: WriteOnce): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptsTransfers(request);
    contentTypeOf(request, ['application/json']);

    const body = await readJsonBody(request);
    const input = parseTransfer(body.members);

    const answer = await writeOnce(request, body.bytes, async (statements) => {
      const transfer = { ...input, id: uuidv7(), fromAccountId: request.params.id };
      const created = await createTransferStore(statements).create(tenantId, transfer, signalOf(request));
      return {
        status: 201,
        headers: { Location: `/transfers/${created.id}`, 'Content-Type': 'application/json' },
        body: writeTransfer(created),
      };
    });
    sendAnswer(request, response, answer);
  };
}
