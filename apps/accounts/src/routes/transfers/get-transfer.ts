import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { cacheControlHeader, etagHeader, ifNoneMatchHeader } from '@meridian/rest/openapi';
import type { Operation, ParameterDescription } from '@meridian/rest/openapi';
import { acceptedType, isNotModified } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { availableTransfers, transferSchema, writeTransfer } from '../../transfers/transfer-schemas.ts';
import { transferNotFound } from '../../store/transfer-store.ts';
import type { TransferStore } from '../../store/transfer-store.ts';
import type { TransferTag } from '../../transfers/transfer-tags.ts';

export const transferIdParameter: ParameterDescription = {
  name: 'id',
  in: 'path',
  isRequired: true,
  description: 'The identifier of the transfer.',
  schema: { type: 'string', format: 'uuid' },
};

const validatorHeaders = [etagHeader, cacheControlHeader(privateCacheControl)];

export const getTransferOperation: Operation = {
  id: 'getTransfer',
  summary: 'Read a transfer',
  tag: 'Transfers',
  scope: 'accounts:read',
  parameters: [transferIdParameter, ifNoneMatchHeader],
  responses: {
    200: {
      description: 'The transfer.',
      headers: validatorHeaders,
      content: { 'application/json': transferSchema },
    },
    304: { description: 'The transfer is still as `If-None-Match` names it.', headers: validatorHeaders },
  },
  problems: ['transfer-not-found'],
};

/** `GET` and `HEAD /transfers/:id`. */
export function getTransfer(transfers: TransferStore, tagOf: TransferTag): RequestHandler<{ id: string }> {
  return async (request, response) => {
    acceptedType(request, availableTransfers);
    const { id } = request.params;
    const { tenantId } = callerOf(request);
    const transfer = await transfers.find(tenantId, id, signalOf(request));
    if (transfer === undefined) {
      throw transferNotFound(id);
    }
    const headers = { ETag: tagOf(tenantId, transfer), 'Cache-Control': privateCacheControl };
    sendResponse(
      request,
      response,
      isNotModified(request, headers.ETag)
        ? { status: 304, headers }
        : {
            status: 200,
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: writeTransfer(transfer),
          },
    );
  };
}
