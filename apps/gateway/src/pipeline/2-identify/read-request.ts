import type { Exchange, RequestHead } from '@meridian/http';
import { targetOf } from '@meridian/http';
import type { JsonBounds } from '@meridian/json';

import { requestError } from '../../errors/request-error.ts';
import type { GraphqlRequest } from '../../operation/graphql-request.ts';
import { parseJson } from './parse-json.ts';
import type { BodyArrival, BodyRules } from './read-body-members.ts';
import { membersOfBody, readWholeBody } from './read-body-members.ts';
import type { UncheckedMembers } from './request-members.ts';
import { requestOf } from './request-members.ts';

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
    return requestOf(exchange, method, membersOfQuery(exchange, rules.json));
  }
  const body = readWholeBody(exchange, rules, arrival);
  return body instanceof Promise
    ? body.then((bytes) => requestOf(exchange, method, membersOfBody(bytes, rules)))
    : requestOf(exchange, method, membersOfBody(body, rules));
}

/**
 * Reads the members from the query string of a GET, where `variables` and `extensions` are JSON.
 *
 * @throws {RequestError} BAD_REQUEST when they are not, or when a member occurs twice
 */
function membersOfQuery(request: RequestHead, limits: JsonBounds): UncheckedMembers {
  const parameters = new URLSearchParams(targetOf(request).query);
  const textAt = (name: string): string | null => {
    const [text = null, ...others] = parameters.getAll(name);
    if (others.length > 0) {
      throw requestError('BAD_REQUEST', `The query string holds \`${name}\` twice`);
    }
    return text;
  };
  const jsonAt = (name: string): unknown => {
    const text = textAt(name) ?? '';
    return text === '' ? undefined : parseJson(text, `\`${name}\``, limits);
  };
  const members = {
    query: textAt('query'),
    documentId: textAt('documentId'),
    operationName: textAt('operationName'),
    variables: jsonAt('variables'),
    extensions: jsonAt('extensions'),
  };
  const namesNothing = [members.query, members.documentId, members.extensions].every((value) => !value);
  // The others are only used by the message about a missing operation.
  return namesNothing ? { ...Object.fromEntries(parameters), ...members } : members;
}
