import type { Answer } from '@meridian/http';

import type { Refusal } from '../../refusal.ts';
import { refusalKinds } from '../../refusal.ts';
import type { ResponseMediaType } from './media-types.ts';

/**
 * The answer to a request that is not executed. GraphQL's own refusals are errors of a result, so that with
 * `application/json` the status is 200; what happens before GraphQL keeps its status and is JSON whatever was asked for.
 *
 * Spec: Errors, rule 3. Contract: Deliberate readings, 1.
 */
export function refusalAnswer(
  { code, errors, extensions, headers }: Refusal,
  mediaType: ResponseMediaType,
  traceId: string,
): Answer {
  const kind = refusalKinds[code];
  const isBeforeGraphql = 'isBeforeGraphql' in kind;
  const keepsStatus = isBeforeGraphql || mediaType === 'application/graphql-response+json';
  return {
    status: keepsStatus ? kind.status : 200,
    headers: {
      'Content-Type': isBeforeGraphql ? 'application/json' : mediaType,
      'Cache-Control': 'no-store',
      ...(!isBeforeGraphql && { Vary: 'Accept' }),
      ...headers,
    },
    body: JSON.stringify({
      errors: errors.map((error) => ({ ...error, extensions: { code, ...extensions, traceId } })),
    }),
  };
}
