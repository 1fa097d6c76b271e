import { createHash } from 'node:crypto';

import { encodeResponse } from '@meridian/executor';
import type { HttpResponse } from '@meridian/http';
import type { GraphQLFormattedError } from 'graphql';

import type { ResponseMediaType } from '../../http/media-types.ts';
import { eventStream } from '../../http/media-types.ts';
import type { RunResult } from '../../operation/run.ts';
import { asEvent } from './parts/subscription-response.ts';
import type { CachePolicyInput } from './cache-control.ts';
import { cacheControl, uncachedFields, varyBy } from './cache-control.ts';
import type { CodableRequest, Compression, ContentCoding } from './content-coding.ts';
import { inCoding, mayBeCoded, preferredCoding } from './content-coding.ts';

export interface Result {
  /** The outcome of the run. Mostly its data is sent to the client as bytes, unparsed. */
  readonly result: Pick<RunResult, 'data'>;
  /** As the client gets them. */
  readonly errors: readonly GraphQLFormattedError[];
  /** The errors of unauthorized fields, where they are in the extensions. Default: none. */
  readonly authorizationErrors?: readonly GraphQLFormattedError[];
  /** Further ones. Default: none. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface ResultRequest extends CodableRequest {
  readonly method: 'GET' | 'POST';
  readonly mediaType: ResponseMediaType;
}

/** The freshness of a response, and the rules for compressing it. Default: never. */
export interface ResultRules extends Omit<CachePolicyInput, 'isForCaller'> {
  readonly compression: Compression;
}

/**
 * The response with the result of an executed operation. The response to a GET without errors can be cached
 * as long as the rules allow, and revalidated by its entity tag.
 *
 * Spec: Graph endpoint, "Response" and "Cache header".
 */
export function resultResponse(
  request: ResultRequest,
  { result, errors, authorizationErrors = [], extensions }: Result,
  rules: ResultRules,
): HttpResponse | Promise<HttpResponse> {
  const { method, headers, mediaType } = request;
  const body =
    errors.length === 0 && authorizationErrors.length === 0 && extensions === undefined
      ? encodeResponse(result)
      : bodyWithErrors(result.data, errors, {
          ...extensions,
          ...(authorizationErrors.length > 0 && { authorizationErrors }),
        });
  const isForCaller = headers.authorization !== undefined;
  if (mediaType === eventStream) {
    const headers = { 'Content-Type': mediaType, ...uncachedFields(isForCaller, false) };
    return { status: 200, headers, body: asEvent(Buffer.from(body).toString()) };
  }
  const isCodable = mayBeCoded(request, body.length, rules.compression);
  const coding = isCodable ? preferredCoding(headers['accept-encoding']) : undefined;
  if (method === 'POST' || errors.length > 0) {
    const fields = isForCaller ? uncacheable[mediaType].forCaller : uncacheable[mediaType].forAll;
    return inCoding({ status: 200, headers: isCodable ? fields.codable : fields.plain, body }, coding);
  }
  const cacheable = {
    // A shared cache must not use a public response for a request with credentials.
    Vary: varyBy(true, isCodable),
    'Cache-Control': cacheControl({ ...rules, isForCaller }),
    ETag: entityTag(mediaType, coding, body),
  };
  return matchesEntityTag(headers['if-none-match'], cacheable.ETag)
    ? { status: 304, headers: cacheable }
    : inCoding({ status: 200, headers: { 'Content-Type': mediaType, ...cacheable }, body }, coding);
}

function bodyWithErrors(
  data: string,
  errors: readonly GraphQLFormattedError[],
  members: Readonly<Record<string, unknown>>,
): Buffer {
  const shown = errors.length === 0 ? '' : `"errors":${JSON.stringify(errors)},`;
  const extensions = Object.keys(members).length === 0 ? '' : `,"extensions":${JSON.stringify(members)}`;
  return Buffer.from(`{${shown}"data":${data}${extensions}}`);
}

type Fields = NonNullable<HttpResponse['headers']>;

/**
 * The header fields of a response that may not be cached. The same object for each: what sends a response knows it
 * again, and neither checks nor writes its fields a second time.
 */
function uncacheableFields(
  mediaType: ResponseMediaType,
  isForCaller: boolean,
): Record<'plain' | 'codable', Fields> {
  const fieldsFor = (isCodable: boolean): Fields => ({
    'Content-Type': mediaType,
    ...uncachedFields(isForCaller, isCodable),
  });
  return { plain: fieldsFor(false), codable: fieldsFor(true) };
}

const uncacheable = {
  'application/json': {
    forAll: uncacheableFields('application/json', false),
    forCaller: uncacheableFields('application/json', true),
  },
  'application/graphql-response+json': {
    forAll: uncacheableFields('application/graphql-response+json', false),
    forCaller: uncacheableFields('application/graphql-response+json', true),
  },
} as const satisfies Record<Exclude<ResponseMediaType, typeof eventStream>, unknown>;

/** A strong validator of this representation: media type, content coding and uncompressed bytes. */
function entityTag(mediaType: ResponseMediaType, coding: ContentCoding | undefined, body: Buffer): string {
  const kind = coding === undefined ? mediaType : `${mediaType}; ${coding}`;
  const hash = createHash('sha256').update(kind).update('\n').update(body).digest();
  return `"${hash.subarray(0, 16).toString('base64url')}"`;
}

/** One entity tag of a list, without its `W/`. RFC 9110 §8.8.3. */
const opaqueTags = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * True when an `If-None-Match` matches the entity tag of a response: a client has this response already. The comparison
 * is weak, since caches and proxies that compress a response make its tag weak.
 *
 * RFC 9110 §13.1.2.
 */
function matchesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === entityTag) {
    return ifNoneMatch !== undefined;
  }
  return ifNoneMatch.trim() === '*' || (ifNoneMatch.match(opaqueTags)?.includes(entityTag) ?? false);
}
