import type { IncomingHttpHeaders } from 'node:http';

import type { Answer } from '@meridian/http';

import type { Refusal } from '../../errors/request-error.ts';
import { refusalKinds } from '../../errors/error-codes.ts';
import { notReusable } from './cache-control.ts';
import type { ResponseMediaType } from '../../operation/response-media-type.ts';

export interface RefusedRequest {
  readonly mediaType: ResponseMediaType;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The answer to a request that is not executed. GraphQL's own refusals are errors of a result, so that with
 * `application/json` the status is 200; what happens before GraphQL keeps its status and is JSON whatever was asked for.
 *
 * Spec: Errors, rule 3. Contract: Deliberate readings, 1.
 */
export function refusalAnswer(
  { code, errors, extensions, headers }: Refusal,
  { mediaType, headers: requested }: RefusedRequest,
  traceId: string,
): Answer {
  const kind = refusalKinds[code];
  const isBeforeGraphql = 'isBeforeGraphql' in kind;
  const keepsStatus = isBeforeGraphql || mediaType === 'application/graphql-response+json';
  const isForCaller = requested.authorization !== undefined;
  const vary = [...(isBeforeGraphql ? [] : ['Accept']), ...(isForCaller ? ['Authorization'] : [])];
  return {
    status: keepsStatus ? kind.status : 200,
    headers: {
      'Content-Type': isBeforeGraphql ? 'application/json' : mediaType,
      'Cache-Control': notReusable(isForCaller),
      ...(vary.length > 0 && { Vary: vary.join(', ') }),
      ...headers,
    },
    body: JSON.stringify({
      errors: errors.map((error) => ({ ...error, extensions: { code, ...extensions, traceId } })),
    }),
  };
}
