import type { IncomingMessage } from 'node:http';

import type { GraphqlRequest } from '../../operation/graphql-request.ts';
import type { BodyRules } from './read-body-members.ts';
import { readBodyMembers } from './read-body-members.ts';
import { readQueryMembers } from './read-query-members.ts';
import { checkMembers } from './request-members.ts';

/**
 * Reads what a request asks for, from its body or its query string.
 *
 * @throws {RequestError} where the request is not one that GraphQL over HTTP knows
 */
export async function readRequest(
  request: IncomingMessage,
  method: 'GET' | 'POST',
  rules: BodyRules,
  signal: AbortSignal,
): Promise<GraphqlRequest> {
  const members =
    method === 'GET' ? readQueryMembers(request, rules.json) : await readBodyMembers(request, rules, signal);
  return { method, headers: request.headers, peer: request.socket.remoteAddress, ...checkMembers(members) };
}
