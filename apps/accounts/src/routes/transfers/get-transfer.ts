import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { cacheControlHeader } from '@meridian/openapi';
import type { Operation } from '@meridian/openapi';
import { problem } from '@meridian/problem-details';
import { acceptedType } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { availableTransfers, transferShape, writeTransfer } from '../../transfers/transfer-shapes.ts';
import type { TransferStore } from '../../store/transfer-store.ts';

export const getTransferOperation: Operation = {
  id: 'getTransfer',
  summary: 'Read a transfer',
  tag: 'Transfers',
  scope: 'accounts:read',
  parameters: [
    {
      name: 'id',
      in: 'path',
      isRequired: true,
      description: 'The identifier of the transfer.',
      schema: { type: 'string', format: 'uuid' },
    },
  ],
  responses: {
    200: {
      description: 'The transfer.',
      headers: [cacheControlHeader(privateCacheControl)],
      content: { 'application/json': transferShape },
    },
  },
  problems: ['transfer-not-found'],
};

/** `GET` and `HEAD /transfers/:id`. */
export function getTransfer(transfers: TransferStore): RequestHandler<{ id: string }> {
  return async (request, response) => {
    acceptedType(request, availableTransfers);
    const { id } = request.params;
    const transfer = await transfers.find(callerOf(request).tenantId, id, signalOf(request));
    if (transfer === undefined) {
      throw problem('transfer-not-found', `There is no transfer "${id}".`);
    }
    sendResponse(request, response, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': privateCacheControl },
      body: writeTransfer(transfer),
    });
  };
}
