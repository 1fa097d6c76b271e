import type { Exchange } from '@meridian/http';
import { ExactNumber } from '@meridian/json';
import { plainIdentifier } from '@meridian/manifest';
import { isRecord } from '@meridian/settings/values';

import type { GraphqlRequest } from '../../operation/graphql-request.ts';
import { requestError } from '../../errors/request-error.ts';

/** The members of a request, of either method, with unchecked types. */
export interface UncheckedMembers {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

/**
 * The request with these members. Checks their types; unknown ones are ignored, in `extensions` as well. An empty string,
 * as some clients send it, counts as absent.
 *
 * GraphQL over HTTP, "Request Parameters".
 *
 * @throws {RequestError} BAD_REQUEST
 */
export function requestOf(
  { headers, peer }: Pick<Exchange, 'headers' | 'peer'>,
  method: 'GET' | 'POST',
  members: UncheckedMembers,
): GraphqlRequest {
  const query = textAt(members, 'query');
  const extensions = objectAt(members, 'extensions');
  const persistedQueryId = identifierIn(members, extensions);
  if (query === undefined && persistedQueryId === undefined) {
    throw noOperation(members);
  }
  return {
    method,
    headers,
    peer,
    query,
    persistedQueryId,
    operationName: textAt(members, 'operationName'),
    variables: objectAt(members, 'variables'),
    extensions,
  };
}

function textAt(members: UncheckedMembers, name: keyof UncheckedMembers): string | undefined {
  const value = members[name] ?? '';
  if (typeof value !== 'string') {
    throw requestError('BAD_REQUEST', `\`${name}\` must be a string`);
  }
  return value === '' ? undefined : value;
}

function objectAt(
  members: UncheckedMembers,
  name: keyof UncheckedMembers,
): Readonly<Record<string, unknown>> {
  const value = members[name] ?? {};
  if (!isRecord(value) || value instanceof ExactNumber) {
    throw requestError('BAD_REQUEST', `\`${name}\` must be an object`);
  }
  return value;
}

/**
 * The identifier of a persisted operation: `documentId` of GraphQL over HTTP, Appendix A, or
 * `extensions.persistedQuery` of Apollo's clients.
 */
function identifierIn(
  members: UncheckedMembers,
  extensions: Readonly<Record<string, unknown>>,
): string | undefined {
  const documentId = textAt(members, 'documentId');
  const hash = hashIn(extensions);
  const id = documentId ?? hash;
  if (id === undefined) {
    return undefined;
  }
  const plain = plainIdentifier(id);
  if (hash !== undefined && plain !== plainIdentifier(hash)) {
    throw requestError('BAD_REQUEST', '`documentId` and `extensions.persistedQuery` name two operations');
  }
  return plain;
}

/** `{ persistedQuery: { version: 1, sha256Hash } }` */
function hashIn({ persistedQuery }: Readonly<Record<string, unknown>>): string | undefined {
  if (persistedQuery === undefined || persistedQuery === null) {
    return undefined;
  }
  if (isRecord(persistedQuery) && isOne(persistedQuery['version'])) {
    const id = persistedQuery['sha256Hash'];
    if (typeof id === 'string' && id !== '') {
      return id;
    }
  }
  throw requestError('BAD_REQUEST', '`extensions.persistedQuery` must have `version` 1 and a `sha256Hash`');
}

function isOne(version: unknown): boolean {
  return version === 1 || (version instanceof ExactNumber && Number(version) === 1);
}

/** Members in which other servers accept an identifier. */
const foreignIdentifiers = [
  'doc_id',
  'docId',
  'document_id',
  'id',
  'operationId',
  'queryId',
  'query_id',
  'hash',
];

function noOperation(members: UncheckedMembers): Error {
  const found = foreignIdentifiers.find((name) => Object.hasOwn(members, name));
  return requestError(
    'BAD_REQUEST',
    found === undefined
      ? 'The request has no query, and no identifier of a persisted one: send `query`, or `documentId`'
      : `The request has no query, and \`${found}\` is not read: send the identifier as \`documentId\`, or as \`extensions.persistedQuery.sha256Hash\` with \`version\` 1`,
  );
}
