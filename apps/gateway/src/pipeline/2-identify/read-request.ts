import type { Exchange } from '@meridian/http';

import type { GraphqlRequest } from '../../operation/graphql-request.ts';
import type { BodyArrival, BodyRules } from './read-body-members.ts';
import { membersOfBody, readWholeBody } from './read-body-members.ts';
import { readQueryMembers } from './read-query-members.ts';
import type { UncheckedMembers } from './request-members.ts';
import { checkMembers } from './request-members.ts';

/**
 * Reads a GraphQL request from the body or the query string. A request whose body has arrived is there at once.
 *
 * @throws {RequestError} when it is not a request of GraphQL over HTTP
 */
export function readRequest(
  exchange: Exchange,
  method: 'GET' | 'POST',
  rules: BodyRules,
  arrival: BodyArrival,
): GraphqlRequest | Promise<GraphqlRequest> {
  if (method === 'GET') {
    return requestOf(exchange, method, readQueryMembers(exchange, rules.json));
  }
  const body = readWholeBody(exchange, rules, arrival);
  return body instanceof Promise
    ? body.then((bytes) => requestOf(exchange, method, membersOfBody(bytes, rules)))
    : requestOf(exchange, method, membersOfBody(body, rules));
}

function requestOf(
  { headers, peer }: Exchange,
  method: 'GET' | 'POST',
  members: UncheckedMembers,
): GraphqlRequest {
  const { query, persistedQueryId, operationName, variables, extensions } = checkMembers(members);
  return { method, headers, peer, query, persistedQueryId, operationName, variables, extensions };
}
