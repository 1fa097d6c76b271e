import type { GraphqlRequest } from '../../operation/graphql-request.ts';
import type { OperationSource } from '../../operation/operation-source.ts';
import { requestError } from '../../errors/request-error.ts';
import type { AutomaticQueries } from './automatic-queries.ts';

/** The operations of the current manifest. */
export interface RegisteredOperations {
  /** The operation of an identifier: the client's own where it has one, else the one for every client. */
  find(id: string, clientName: string | undefined): OperationSource | undefined;
}

export interface OperationSources {
  /** The source of a text that a request brings along. */
  readonly adHoc: (text: string) => OperationSource;
  /** Absent where persisted queries are off. */
  readonly manifest?: (() => RegisteredOperations) | undefined;
  /** True when a request must carry an identifier of the manifest. */
  readonly isIdRequired: boolean;
  /** Absent when clients may not register operations, as with a safelist. */
  readonly automaticQueries?: AutomaticQueries | undefined;
  /** Called with each text that is rejected for lack of an identifier; logs it. */
  readonly onUnknown?: ((text: string) => void) | undefined;
}

/**
 * The text of the requested operation, looked up if the request only names it.
 *
 * Spec: Graph endpoint, "Persisted operations".
 *
 * @throws {RequestError}
 */
export function findOperation(
  request: GraphqlRequest,
  sources: OperationSources,
): OperationSource | Promise<OperationSource> {
  const { query, persistedQueryId: id } = request;
  if (id === undefined) {
    return adHocOperation(query ?? '', sources);
  }
  return query === undefined ? byIdentifier(id, request, sources) : byIdentifierWithText(id, query, sources);
}

function adHocOperation(text: string, { adHoc, isIdRequired, onUnknown }: OperationSources): OperationSource {
  if (isIdRequired) {
    onUnknown?.(text);
    throw requestError(
      'PERSISTED_QUERY_ID_REQUIRED',
      'The gateway runs only persisted operations: send an identifier, not the text',
    );
  }
  return adHoc(text);
}

function byIdentifier(
  id: string,
  { headers }: GraphqlRequest,
  { manifest, automaticQueries }: OperationSources,
): OperationSource | Promise<OperationSource> {
  const clientName = headers['apollographql-client-name'];
  const known = manifest?.().find(id, typeof clientName === 'string' ? clientName : undefined);
  if (known !== undefined) {
    return known;
  }
  if (automaticQueries !== undefined) {
    return automaticQueries.find(id);
  }
  throw manifest === undefined
    ? requestError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
    : requestError(
        'PERSISTED_QUERY_NOT_IN_LIST',
        'The identifier is not in the list of persisted operations',
      );
}

function byIdentifierWithText(
  id: string,
  text: string,
  { adHoc, manifest, automaticQueries }: OperationSources,
): OperationSource {
  if (automaticQueries !== undefined) {
    return automaticQueries.register(id, text);
  }
  if (manifest !== undefined) {
    throw requestError(
      'CANNOT_SEND_PQ_ID_AND_BODY',
      'Send the identifier of a persisted operation, or its text: not both',
    );
  }
  return adHoc(text);
}
