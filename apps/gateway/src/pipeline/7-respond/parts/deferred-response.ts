import type { HttpResponse } from '@meridian/http';

import type { DeferFormat } from '../../../http/media-types.ts';
import { uncachedFields } from '../cache-control.ts';
import type { CodableRequest, Compression } from '../content-coding.ts';
import { inCoding, mayBeCoded, preferredCoding } from '../content-coding.ts';
import type { ShownParts } from './deferred-parts.ts';
import { deferredParts } from './deferred-parts.ts';
import { framed, multipartType } from './multipart.ts';

export interface DeferredRequest extends CodableRequest {
  readonly format: DeferFormat;
}

/**
 * The response with a deferred result: its parts, each sent as soon as it is there. It is not cached, as it depends on
 * the time.
 *
 * Contract: section 9.
 */
export function deferredResponse(
  request: DeferredRequest,
  parts: ShownParts,
  compression: Compression,
): HttpResponse | Promise<HttpResponse> {
  const { format, headers } = request;
  const texts = framed(deferredParts(format, parts));
  // The length of the whole is unknown.
  const isCodable = mayBeCoded(request, Number.POSITIVE_INFINITY, compression);
  const coding = isCodable ? preferredCoding(headers['accept-encoding']) : undefined;
  const response = {
    status: 200,
    headers: {
      'Content-Type': multipartType(parameters[format]),
      ...uncachedFields(headers.authorization !== undefined, isCodable),
      // nginx holds responses back otherwise.
      'X-Accel-Buffering': 'no',
    },
    body: texts,
  };
  return inCoding(response, coding);
}

const parameters = {
  'defer-20220824': 'deferSpec=20220824',
  'defer-v0.2': 'incrementalSpec=v0.2',
} as const satisfies Record<DeferFormat, string>;
