import type { IncomingHttpHeaders } from 'node:http';

import type { HttpResponse, ServeExchange } from '@meridian/http';
import { ClientDisconnected } from '@meridian/http';
import type { RouterConfig } from '@meridian/router-config';

import type { RequestErrorCode } from '../errors/error-codes.ts';
import { RequestError, requestError } from '../errors/request-error.ts';
import { OperationExchange } from '../http/operation-exchange.ts';
import type { GatewayRequest, RequestInterceptor } from '../interceptors/gateway-request.ts';
import type { OperationType } from '../operation/admitted-operation.ts';
import { uncachedFields } from '../pipeline/7-respond/cache-control.ts';
import type { Compression } from '../pipeline/7-respond/content-coding.ts';
import { inCoding, mayBeCoded, preferredCoding } from '../pipeline/7-respond/content-coding.ts';

export interface BatchOptions {
  readonly batching: RouterConfig['batching'];
  readonly compression: Compression;
  /** Serves one operation of a batch as a request of its own. */
  readonly serve: ServeExchange;
}

/** An array of operations, of a caller who is known; thrown in place of the operation that a stage expects. */
export class ReceivedBatch extends Error {
  override readonly name = 'ReceivedBatch';
  /** JSON, an array. */
  readonly body: Uint8Array;
  readonly size: number;

  constructor(body: Uint8Array, size: number) {
    super('a batch of operations');
    this.body = body;
    this.size = size;
  }
}

/** One operation of a batch: a request with its own place, cost, log line and metrics. */
class BatchItem extends OperationExchange {
  /** Undefined for one that was rejected before it was known. */
  type: OperationType | undefined;
}

/** Codes of an operation whose response would come in parts, by the code that it has outside of a batch. */
const codesInBatch: Partial<Record<RequestErrorCode, RequestErrorCode>> = {
  DEFER_BAD_HEADER: 'BATCHING_DEFER_UNSUPPORTED',
  SUBSCRIPTION_BAD_HEADER: 'BATCHING_SUBSCRIPTION_UNSUPPORTED',
};

/**
 * Runs the operations of a batch at the same time, each through all stages, and responds with an array in their order.
 * The deadline and the connection of the batch hold for each operation. The innermost interceptor, because a batch
 * itself is neither rejected nor counted.
 */
export function serveBatches({ batching, compression, serve }: BatchOptions): RequestInterceptor {
  return async (request, next) => {
    const { exchange } = request;
    try {
      return await next(request);
    } catch (thrown) {
      if (exchange instanceof BatchItem) {
        throw errorOfItem(thrown);
      }
      if (!(thrown instanceof ReceivedBatch)) {
        throw thrown;
      }
      checkBatch(thrown, batching);
      return await respondToBatch(request, thrown, { compression, serve });
    } finally {
      if (exchange instanceof BatchItem) {
        exchange.type = request.notes.operationType;
      }
    }
  };
}

function errorOfItem(thrown: unknown): unknown {
  if (thrown instanceof ReceivedBatch) {
    return requestError('BAD_REQUEST', 'An operation of a batch must be a JSON object');
  }
  const code = thrown instanceof RequestError ? codesInBatch[thrown.code] : undefined;
  return code === undefined
    ? thrown
    : requestError(code, "Deferred responses and subscriptions aren't supported in batches");
}

function checkBatch({ size }: ReceivedBatch, { maximum_size: max }: RouterConfig['batching']): void {
  if (size === 0) {
    throw requestError('BAD_REQUEST', 'The batch has no operation');
  }
  if (size > max) {
    throw requestError('BATCH_LIMIT_EXCEEDED', `The batch has ${size} operations, more than ${max}`);
  }
}

async function respondToBatch(
  { exchange, signal, context, stages }: GatewayRequest,
  { body }: ReceivedBatch,
  { compression, serve }: Pick<BatchOptions, 'compression' | 'serve'>,
): Promise<HttpResponse> {
  const { headers } = exchange;
  const head = {
    url: exchange.url,
    headers: headersOfItems(headers),
    peer: exchange.peer,
    batch: stages,
  };
  const items = splitArray(body).map((text) => new BatchItem(head, text));
  const stopped = Promise.withResolvers<undefined>();
  const stop = (): void => {
    stopped.resolve(undefined);
    // Cancels what still runs; a response that is there is not affected.
    items.forEach((item) => item.end());
  };
  signal.addEventListener('abort', stop);
  for (const item of items) {
    void serve(item);
  }
  const bodies: Uint8Array[] = [];
  for (const item of items) {
    const response = await Promise.race([item.response, stopped.promise]);
    item.end(response?.status);
    bodies.push(bodyOf(response) ?? errorBody(signal.aborted, context.trace.traceId));
  }
  signal.removeEventListener('abort', stop);
  if (signal.reason instanceof ClientDisconnected) {
    throw signal.reason;
  }
  const joined = joinBodies(bodies);
  const type = items.every((item) => item.type === 'query') ? 'query' : 'mutation';
  const isCodable = mayBeCoded({ type, headers }, joined.length, compression);
  return inCoding(
    {
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        ...uncachedFields(headers.authorization !== undefined, isCodable),
      },
      body: joined,
    },
    isCodable ? preferredCoding(headers['accept-encoding']) : undefined,
  );
}

/** The array is decoded already, and coded as a whole. */
function headersOfItems({
  'content-encoding': _coding,
  'accept-encoding': _acceptedCodings,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders {
  return { ...headers, accept: 'application/json' };
}

function bodyOf(response: HttpResponse | undefined): Uint8Array | undefined {
  const body = response?.body;
  if (typeof body === 'string') {
    return Buffer.from(body);
  }
  return body instanceof Uint8Array ? body : undefined;
}

/** For an operation without a response: the batch took too long, or the gateway failed. */
function errorBody(isLate: boolean, traceId: string): Buffer {
  const [message, code] = isLate
    ? ['The gateway took too long to respond', 'GATEWAY_TIMEOUT' satisfies RequestErrorCode]
    : ['The gateway failed', 'INTERNAL_SERVER_ERROR' satisfies RequestErrorCode];
  return Buffer.from(JSON.stringify({ errors: [{ message, extensions: { code, traceId } }] }));
}

function joinBodies(bodies: readonly Uint8Array[]): Buffer {
  const comma = Buffer.from(',');
  const parts = bodies.flatMap((body, index) => (index === 0 ? [body] : [comma, body]));
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening = new Set(Buffer.from('[{'));
const closing = new Set(Buffer.from(']}'));

/**
 * The items of a JSON array as they are written, which keeps numbers exact.
 *
 * @param array valid JSON
 */
export function splitArray(array: Uint8Array): Buffer[] {
  const items: Buffer[] = [];
  let depth = 0;
  let isText = false;
  let start = 0;
  for (let index = 0; index < array.length; index += 1) {
    const byte = array[index] ?? 0;
    if (isText) {
      if (byte === backslash) {
        index += 1;
      } else if (byte === quote) {
        isText = false;
      }
    } else if (byte === quote) {
      isText = true;
    } else if (opening.has(byte)) {
      depth += 1;
      if (depth === 1) {
        start = index + 1;
      }
    } else if (closing.has(byte) || (byte === comma && depth === 1)) {
      if (depth === 1) {
        items.push(Buffer.from(array.buffer, array.byteOffset + start, index - start));
        start = index + 1;
      }
      if (byte !== comma) {
        depth -= 1;
      }
    }
  }
  return items;
}
