import type { IncomingMessage } from 'node:http';

import {
  defaultLimit,
  limitParameter,
  queryParameter,
  refuseUnknownParameters,
} from '@meridian/rest/openapi';
import type { ParameterDescription } from '@meridian/rest/openapi';
import { text } from '@meridian/settings/values';

/** The requested page of a collection. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | undefined;
}

const cursorParameter = queryParameter('cursor', {
  description:
    'The `next_cursor` of the previous page; absent for the first page. Valid for the same filter only.',
  // An empty text is not absent: the cursors reject it.
  type: { ...text, parse: (cursor) => cursor },
});

/** The query parameters of every collection. */
export const pageParameters = [limitParameter, cursorParameter];

/**
 * @param parameters all that the collection takes
 * @throws {Problem} `invalid-parameter`, for one that it does not take too
 */
export function pageRequestOf(
  request: IncomingMessage,
  parameters: readonly ParameterDescription[],
): PageRequest {
  refuseUnknownParameters(request, parameters);
  return { limit: limitParameter.of(request) ?? defaultLimit, cursor: cursorParameter.of(request) };
}
