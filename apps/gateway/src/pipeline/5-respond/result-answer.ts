import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { encodeAnswer } from '@meridian/executor';
import type { Answer } from '@meridian/http';
import type { GraphQLFormattedError } from 'graphql';

import type { ExecutionResult } from '../../executor/executor.ts';
import { cacheControl, notReusable } from './cache-control.ts';
import type { Reuse } from './cache-control.ts';
import type { ResponseMediaType } from './media-types.ts';

export interface Result {
  /** What came of the run: in most cases its data goes to the client as the bytes that it was put together of. */
  readonly result: Pick<ExecutionResult, 'data'>;
  /** As the client gets them. */
  readonly errors: readonly GraphQLFormattedError[];
}

export interface ResultRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: IncomingHttpHeaders;
  readonly mediaType: ResponseMediaType;
}

/**
 * The answer with the result of an operation that was executed. That of a GET without errors can be kept by a cache, for
 * as long as `reuse` allows, and asked for again by its entity tag.
 *
 * Spec: Graph endpoint, "Response" and "Cache header".
 */
export function resultAnswer(
  { method, headers, mediaType }: ResultRequest,
  { result, errors }: Result,
  reuse: Omit<Reuse, 'isForCaller'>,
): Answer {
  const body =
    errors.length === 0
      ? encodeAnswer(result)
      : Buffer.from(`{"errors":${JSON.stringify(errors)},"data":${result.data}}`);
  const isForCaller = headers.authorization !== undefined;
  const fields = { 'Content-Type': mediaType, Vary: isForCaller ? 'Accept, Authorization' : 'Accept' };
  if (method === 'POST' || errors.length > 0) {
    return { status: 200, headers: { ...fields, 'Cache-Control': notReusable(isForCaller) }, body };
  }
  const cacheable = {
    ...fields,
    // What a cache keeps for everybody must not answer whoever says who they are.
    Vary: 'Accept, Authorization',
    'Cache-Control': cacheControl({ ...reuse, isForCaller }),
    ETag: entityTag(mediaType, body),
  };
  return headers['if-none-match'] === cacheable.ETag
    ? { status: 304, headers: cacheable }
    : { status: 200, headers: cacheable, body };
}

/** A strong validator of this representation: its media type and its bytes. */
function entityTag(mediaType: ResponseMediaType, body: Buffer): string {
  const hash = createHash('sha256').update(mediaType).update('\n').update(body).digest();
  return `"${hash.subarray(0, 16).toString('base64url')}"`;
}
