import type { StopSignal } from '@meridian/cancellation';
import type { ByteCounter, Exchange } from '@meridian/http';
import type { JsonBounds } from '@meridian/json';
import { ExactNumber } from '@meridian/json';
import { Problem } from '@meridian/problem-details';
import { isRecord } from '@meridian/settings/values';

import { bodyCoding } from '../../http/body-coding.ts';
import { requestError } from '../../errors/request-error.ts';
import type { DecompressBody } from './decompress-body.ts';
import { parseJson } from './parse-json.ts';
import type { UncheckedMembers } from './request-members.ts';

export interface BodyRules {
  readonly maxBytes: number;
  readonly json: JsonBounds;
  readonly decompress: DecompressBody;
  /** The error of an array: a batch. */
  readonly batchError: (body: Uint8Array, size: number) => Error;
}

/** The bounds of a body that is still arriving. */
export interface BodyArrival {
  readonly signal: StopSignal;
  /** Counts its bytes, and those that it has once it is decompressed. */
  readonly load: ByteCounter;
}

/**
 * Reads the body of a POST, and decodes its content coding. A body that has arrived already is there at once.
 *
 * @throws {RequestError} for a body over the size limit, one that does not arrive in time, and one for which there is
 * no room
 */
export function readWholeBody(
  exchange: Exchange,
  { maxBytes, decompress }: BodyRules,
  { signal, load }: BodyArrival,
): Buffer | Promise<Buffer> {
  const coding = bodyCoding(exchange.headers['content-encoding']);
  const reject = (error: unknown): never => {
    throw requestErrorOf(error, maxBytes);
  };
  try {
    const body = exchange.readBody({ maxBytes, signal, counter: load });
    if (coding !== undefined) {
      return Promise.resolve(body).then(async (bytes) => {
        const decompressed = await decompress(bytes, coding, signal);
        load.count(decompressed.length);
        return decompressed;
      }, reject);
    }
    return body instanceof Promise ? body.catch(reject) : body;
  } catch (error) {
    return reject(error);
  }
}

function requestErrorOf(error: unknown, maxBytes: number): unknown {
  if (!(error instanceof Problem)) {
    return error;
  }
  return error.kind === 'request-timeout'
    ? requestError('REQUEST_TIMEOUT', 'The body did not arrive in time', {
        headers: { Connection: 'close' },
      })
    : requestError('PAYLOAD_TOO_LARGE', `The body is over ${maxBytes} bytes`);
}

/**
 * The members in the body of a POST.
 *
 * @throws {RequestError} for bad JSON; for an array, the error that the rules have for it
 */
export function membersOfBody(
  body: Uint8Array,
  { json, batchError }: Pick<BodyRules, 'batchError' | 'json'>,
): UncheckedMembers {
  const value = parseJson(decode(body), 'The body', json);
  if (Array.isArray(value)) {
    throw batchError(body, value.length);
  }
  if (!isRecord(value) || value instanceof ExactNumber) {
    throw requestError('BAD_REQUEST', 'The body must be a JSON object');
  }
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw requestError('BAD_REQUEST', 'The body is not valid UTF-8');
  }
}
