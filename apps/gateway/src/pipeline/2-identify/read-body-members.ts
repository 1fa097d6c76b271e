import type { IncomingMessage } from 'node:http';

import { readBody } from '@meridian/http';
import { Problem } from '@meridian/problem-details';
import { isRecord } from '@meridian/values';

import { bodyCoding } from '../../http/body-coding.ts';
import { requestError } from '../../errors/request-error.ts';
import type { DecompressBody } from './decompress-body.ts';
import type { JsonLimits } from '../../config/http-config.ts';
import { parseJson } from './parse-json.ts';
import type { UncheckedMembers } from './request-members.ts';

export interface BodyRules {
  readonly maxBytes: number;
  readonly json: JsonLimits;
  readonly decompress: DecompressBody;
}

/**
 * Reads the members from the body of a POST.
 *
 * @throws {RequestError} for a body over the size limit, bad JSON, or an array, which would be a batch
 */
export async function readBodyMembers(
  request: IncomingMessage,
  { maxBytes, json, decompress }: BodyRules,
  signal: AbortSignal,
): Promise<UncheckedMembers> {
  const bytes = await readWithin(request, maxBytes, signal);
  const coding = bodyCoding(request.headers['content-encoding']);
  const value = parseJson(
    decode(coding === undefined ? bytes : await decompress(bytes, coding, signal)),
    'The body',
    json,
  );
  if (Array.isArray(value)) {
    throw requestError('BATCHING_NOT_ENABLED', 'The gateway runs one operation a request, not a batch');
  }
  if (!isRecord(value)) {
    throw requestError('BAD_REQUEST', 'The body must be a JSON object');
  }
  return value;
}

async function readWithin(request: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  try {
    return await readBody(request, { maxBytes, signal });
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    throw error.kind === 'request-timeout'
      ? requestError('REQUEST_TIMEOUT', 'The body did not arrive in time', {
          headers: { Connection: 'close' },
        })
      : requestError('PAYLOAD_TOO_LARGE', `The body is over ${maxBytes} bytes`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw requestError('BAD_REQUEST', 'The body is not valid UTF-8');
  }
}
