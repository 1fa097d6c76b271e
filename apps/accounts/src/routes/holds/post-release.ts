import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import {
  createdResponse,
  acceptedType,
  bodySchemaOf,
  idempotencyKeyHeader,
  readOptionalJsonBody,
} from '@meridian/rest';
import type { Statements, IdempotentWrite } from '@meridian/rest';
import { cacheControlHeader, locationHeader } from '@meridian/rest/openapi';
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
    201: {
      description: 'The hold was released.',
      headers: [locationHeader('The path of the hold.'), cacheControlHeader(privateCacheControl)],
      content: { 'application/json': holdSchema },
    },
  },
  problems: ['hold-not-found', 'hold-not-pending'],
};

/**
 * `POST /holds/:id/releases`.
 * Contract: Ledger and events.
 */
export function postRelease(idempotentWrite: IdempotentWrite<Statements>): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const caller = callerOf(request);
    acceptedType(request, availableHolds);
    const body = await readOptionalJsonBody(request, bodySchemaOf(request, newRelease));

    const httpResponse = await idempotentWrite(request, body.bytes, async (statements) => {
      const hold = await createHoldStore(statements).release(caller, request.params.id, signalOf(request));
      return createdResponse(`/holds/${hold.id}`, writeHold(hold));
    });
    sendResponse(request, response, httpResponse);
  };
}
