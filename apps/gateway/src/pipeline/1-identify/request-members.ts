import { isRecord } from '../../is-record.ts';
import { refusal } from '../../refusal.ts';

/** The members of a request, of either method, before anything is known of their types. */
export interface UncheckedMembers {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

/** What a request asks for. An empty text, as some clients send it, counts as absent. */
export interface RequestMembers {
  readonly query: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly persistedQueryId: string | undefined;
}

/**
 * Checks the types of the members. Unknown ones are ignored, in `extensions` as well.
 *
 * GraphQL over HTTP, "Request Parameters".
 *
 * @throws {Refusal} BAD_REQUEST
 */
export function checkMembers(members: UncheckedMembers): RequestMembers {
  const query = textAt(members, 'query');
  const extensions = objectAt(members, 'extensions');
  const persistedQueryId = persistedQueryIdIn(extensions);
  if (query === undefined && persistedQueryId === undefined) {
    throw refusal('BAD_REQUEST', 'The request has no query, and no identifier of a persisted one');
  }
  return {
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
    throw refusal('BAD_REQUEST', `\`${name}\` must be a string`);
  }
  return value === '' ? undefined : value;
}

function objectAt(
  members: UncheckedMembers,
  name: keyof UncheckedMembers,
): Readonly<Record<string, unknown>> {
  const value = members[name] ?? {};
  if (!isRecord(value)) {
    throw refusal('BAD_REQUEST', `\`${name}\` must be an object`);
  }
  return value;
}

/** `{ persistedQuery: { version: 1, sha256Hash } }`, as Apollo's clients send it. */
function persistedQueryIdIn({ persistedQuery }: Readonly<Record<string, unknown>>): string | undefined {
  if (persistedQuery === undefined || persistedQuery === null) {
    return undefined;
  }
  if (isRecord(persistedQuery) && persistedQuery['version'] === 1) {
    const id = persistedQuery['sha256Hash'];
    if (typeof id === 'string' && id !== '') {
      return id;
    }
  }
  throw refusal('BAD_REQUEST', '`extensions.persistedQuery` must have `version` 1 and a `sha256Hash`');
}
