import type { IncomingMessage } from 'node:http';

import type { GraphqlRequest } from '../../operation/graphql-request.ts';
import type { BodyRules } from './read-body-members.ts';
import { membersOfBody, readWholeBody } from './read-body-members.ts';
import { readQueryMembers } from './read-query-members.ts';
import { checkMembers } from './request-members.ts';

/**
 * Reads a GraphQL request from the body or the query string.
 *
 * @throws {RequestError} when it is not a request of GraphQL over HTTP
 */
export async function readRequest(
  request: IncomingMessage,
  method: 'GET' | 'POST',
  rules: BodyRules,
  signal: AbortSignal,
): Promise<GraphqlRequest> {
  const members =
    method === 'GET'
      ? readQueryMembers(request, rules.json)
      : membersOfBody(await readWholeBody(request, rules, signal), rules.json);
  return { method, headers: request.headers, peer: request.socket.remoteAddress, ...checkMembers(members) };
}
