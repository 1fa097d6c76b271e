import type { IncomingMessage } from 'node:http';

import { contentTypeOf, readBody } from '@meridian/http';
import { Problem } from '@meridian/problem-details';

import { isRecord } from '../../is-record.ts';
import { refusal } from '../../refusal.ts';
import type { UncheckedMembers } from './request-members.ts';

export interface ReadBodyMembersOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const mediaTypes = ['application/json', 'application/graphql+json'] as const;

/**
 * Reads the members from the body of a POST.
 *
 * @throws {Refusal} for another media type, a body over the cap, bad JSON, or an array, which would be a batch
 */
export async function readBodyMembers(
  request: IncomingMessage,
  { maxBytes, signal }: ReadBodyMembersOptions,
): Promise<UncheckedMembers> {
  checkMediaType(request);
  const value = parseJson(await readWithin(request, maxBytes, signal));
  if (Array.isArray(value)) {
    throw refusal('BATCHING_NOT_ENABLED', 'The gateway takes one operation a request, not a batch');
  }
  if (!isRecord(value)) {
    throw refusal('BAD_REQUEST', 'The body must be a JSON object');
  }
  return value;
}

function checkMediaType(request: IncomingMessage): void {
  const message = `The body must be declared as ${mediaTypes.join(' or ')}, without a content coding`;
  try {
    if (contentTypeOf(request, mediaTypes) !== undefined) {
      return;
    }
  } catch (error) {
    throw error instanceof Problem ? refusal('UNSUPPORTED_MEDIA_TYPE', message) : error;
  }
  throw refusal('UNSUPPORTED_MEDIA_TYPE', message);
}

async function readWithin(request: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  try {
    return await readBody(request, { maxBytes, signal });
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    throw error.kind === 'request-timeout'
      ? refusal('REQUEST_TIMEOUT', 'The body did not arrive in time', { headers: { Connection: 'close' } })
      : refusal('PAYLOAD_TOO_LARGE', `The body is over ${maxBytes} bytes`);
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw refusal('BAD_REQUEST', 'The body is not valid JSON');
  }
}
