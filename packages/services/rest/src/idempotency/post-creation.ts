import { callerOf, sendResponse, signalOf } from '@meridian/http';
import type { RequestSignal, WholeResponse } from '@meridian/http';
import type { ReadableSchema } from '@meridian/json';
import type { RequestHandler } from 'express';

import { acceptedType } from '../accept.ts';
import type { Available } from '../accept.ts';
import { bodySchemaOf, readJsonBody, readOptionalJsonBody } from '../json-body.ts';
import type { IdempotentWrite } from './idempotent-write.ts';

interface Creation<Value, Store> {
  readonly available: Available<string>;
  /** The schemas of the body, by media type. */
  readonly body: Readonly<Record<string, ReadableSchema<Value>>>;
  /** True where a request without a body is one with an empty object. */
  readonly bodyIsOptional?: boolean;
  readonly idempotentWrite: IdempotentWrite<Store>;
}

/** A request to create, read. */
interface CreationRequest<Value, Parameters> {
  readonly value: Value;
  readonly caller: ReturnType<typeof callerOf>;
  readonly params: Parameters;
  readonly signal: RequestSignal;
}

/**
 * The handler of a POST that creates: reads `Accept`, `Content-Type` and the body, in this order, then writes once for
 * each `Idempotency-Key`.
 */
export function postCreation<Value, Store, Parameters extends Record<string, string>>(
  { available, body, bodyIsOptional = false, idempotentWrite }: Creation<Value, Store>,
  create: (store: Store, request: CreationRequest<Value, Parameters>) => Promise<WholeResponse>,
): RequestHandler<Parameters> {
  const readBody = bodyIsOptional ? readOptionalJsonBody : readJsonBody;
  return async (request, response) => {
    const caller = callerOf(request);
    acceptedType(request, available);
    const { bytes, value } = await readBody(request, bodySchemaOf(request, body));
    const { params } = request;
    const httpResponse = await idempotentWrite(request, bytes, (store) =>
      create(store, { value, caller, params, signal: signalOf(request) }),
    );
    sendResponse(request, response, httpResponse);
  };
}
