import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import type { RequestSignal } from '@meridian/http';
import type { ReadableSchema, Schema } from '@meridian/json';

import { acceptedType } from '../accept.ts';
import type { Available } from '../accept.ts';
import { bodySchemaOf, readJsonBody, readOptionalJsonBody } from '../json-body.ts';
import { cacheControlHeader, locationHeader } from '../openapi/operation/headers.ts';
import type { Operation, PathParameter } from '../openapi/operation/operation.ts';
import { route } from '../openapi/routes/route-table.ts';
import type { Route } from '../openapi/routes/route-table.ts';
import { idempotencyKeyHeader } from './with-idempotency-key.ts';
import type { IdempotentWrite } from './idempotent-write.ts';

interface Creation<Name extends string, Value, Created> extends Pick<
  Operation,
  'id' | 'summary' | 'description' | 'tag' | 'scope' | 'bodyIsOptional' | 'problems'
> {
  readonly parameters?: readonly PathParameter<Name>[];
  readonly body: ReadableSchema<Value>;
  readonly created: {
    readonly description: string;
    /** The description of `Location`. */
    readonly location: string;
    readonly schema: Schema<Created>;
    /** Default: `privateCacheControl`. */
    readonly cacheControl?: string;
  };
}

/** A request to create, read. */
interface CreationRequest<Name extends string, Value> {
  readonly value: Value;
  readonly caller: ReturnType<typeof callerOf>;
  readonly params: Readonly<Record<Name, string>>;
  readonly signal: RequestSignal;
}

interface CreationOptions<Name extends string, Value, Store> {
  readonly available: Available<string>;
  readonly idempotentWrite: IdempotentWrite<Store>;
  /** Called before the write begins. */
  readonly prepare?: (request: CreationRequest<Name, Value>) => Promise<void>;
}

/**
 * A POST that creates: it reads `Accept`, `Content-Type` and the body, in this order, then writes once for each
 * `Idempotency-Key`, and responds with 201, the path of what `create` made, and it as JSON.
 */
export function creationRoute<Name extends string, Value, Created, Store>(
  { created, body, ...described }: Creation<Name, Value, Created>,
  { available, idempotentWrite, prepare }: CreationOptions<Name, Value, Store>,
  create: (
    store: Store,
    request: CreationRequest<Name, Value>,
  ) => Promise<{ readonly location: string; readonly made: Created }>,
): Route {
  const { description, location, schema, cacheControl = privateCacheControl } = created;
  const content = { 'application/json': body };
  const operation: Operation = {
    ...described,
    idempotencyKey: idempotencyKeyHeader,
    body: content,
    responses: {
      201: {
        description,
        headers: [locationHeader(location), cacheControlHeader(cacheControl)],
        content: { 'application/json': schema },
      },
    },
  };
  const readBody = described.bodyIsOptional === true ? readOptionalJsonBody : readJsonBody;
  return route<Record<Name, string>>(operation, async (request, response) => {
    const caller = callerOf(request);
    acceptedType(request, available);
    const { bytes, value } = await readBody(request, bodySchemaOf(request, content));
    const creation = { value, caller, params: request.params, signal: signalOf(request) };
    await prepare?.(creation);
    const httpResponse = await idempotentWrite(request, bytes, async (store) => {
      const { location: path, made } = await create(store, creation);
      return {
        status: 201,
        headers: { Location: path, 'Cache-Control': cacheControl, 'Content-Type': 'application/json' },
        body: schema.write(made),
      };
    });
    sendResponse(request, response, httpResponse);
  });
}
