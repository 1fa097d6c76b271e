import type { IncomingHttpHeaders } from 'node:http';

import type { HttpResponse } from '@meridian/http';

import type { RequestError } from '../../errors/request-error.ts';
import { requestErrorKinds } from '../../errors/error-codes.ts';
import { noStore } from './cache-control.ts';
import type { ResponseMediaType } from '../../http/media-types.ts';
import { eventStream } from '../../http/media-types.ts';
import { asEvent } from './parts/subscription-response.ts';

export interface FailedRequest {
  readonly mediaType: ResponseMediaType;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The response to a rejected request. Errors of GraphQL itself are errors of a result, so with `application/json` and in
 * an event the status is 200. Errors before GraphQL keep their status, and are JSON whatever `Accept` says.
 *
 * Spec: Errors, rule 3. Contract: Deliberate readings, 1.
 */
export function requestErrorResponse(
  { code, errors, extensions, headers }: RequestError,
  { mediaType, headers: requested }: FailedRequest,
  traceId: string,
): HttpResponse {
  const kind = requestErrorKinds[code];
  const isBeforeGraphql = 'isBeforeGraphql' in kind;
  const keepsStatus = isBeforeGraphql || mediaType === 'application/graphql-response+json';
  const isForCaller = requested.authorization !== undefined;
  const isByAccept = !isBeforeGraphql || kind.status === 406;
  const vary = [...(isByAccept ? ['Accept'] : []), ...(isForCaller ? ['Authorization'] : [])];
  const body = JSON.stringify({
    errors: errors.map((error) => ({ ...error, extensions: { code, ...extensions, traceId } })),
  });
  return {
    status: keepsStatus ? kind.status : 200,
    headers: {
      'Content-Type': isBeforeGraphql ? 'application/json' : mediaType,
      'Cache-Control': noStore(isForCaller),
      ...(vary.length > 0 && { Vary: vary.join(', ') }),
      ...headers,
    },
    body: !isBeforeGraphql && mediaType === eventStream ? asEvent(body) : body,
  };
}
