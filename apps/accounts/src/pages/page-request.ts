import type { IncomingMessage } from 'node:http';

import { problem, type Problem } from '@meridian/problem-details';

/** Which page of a collection a request asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | undefined;
  /** One more parameter, for the collection's filter. Throws `invalid-parameter` when it is given twice. */
  readonly parameter: (name: string) => string | undefined;
}

const defaultLimit = 50;
const largestLimit = 100;

/**
 * Reads `limit`, which is 50 when absent and at most 100 whatever is asked for, and `cursor`. Throws `invalid-parameter` for a
 * limit below 1 or one that is no integer, and for either given twice.
 */
export function pageRequestOf(request: IncomingMessage): PageRequest {
  const query = new URLSearchParams(request.url?.split('?', 2)[1]);
  const limit = singleOf(query, 'limit');
  if (limit !== undefined && !/^0*[1-9][0-9]*$/.test(limit)) {
    throw invalidParameter('limit is not an integer of at least 1');
  }
  return {
    limit: limit === undefined ? defaultLimit : Math.min(Number(limit), largestLimit),
    cursor: singleOf(query, 'cursor'),
    parameter: (name) => singleOf(query, name),
  };
}

function singleOf(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalidParameter(`${name} stands there more than once`);
  return values[0];
}

function invalidParameter(detail: string): Problem {
  return problem('invalid-parameter', `Cannot read the query: ${detail}.`);
}
