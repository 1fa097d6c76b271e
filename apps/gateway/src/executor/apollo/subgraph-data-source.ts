import type { GraphQLDataSource } from '@apollo/gateway';
import type {
  FetchResponse as FetchAnswer,
  ReportedError,
  ResponsePath,
  SubrequestError,
} from '@meridian/executor';
import { SubgraphFailure, readRefused, readResponse } from '@meridian/executor';
import type { JsonBounds } from '@meridian/json';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Kind, OperationTypeNode } from 'graphql';

import type { SubgraphConnections } from '../../subgraphs/connect-subgraphs.ts';
import type { ExecutableOperation } from '../../operation/executable-operation.ts';
import type { Run } from '../executor.ts';
import { fetchPaths } from './fetch-paths.ts';
import type { AskedEntities } from './missing-entities.ts';
import { isObject } from './missing-entities.ts';

/** Results of the data sources of a run. */
export interface RunNotes {
  readonly operation: ExecutableOperation;
  readonly run: Run;
  readonly cacheControl: string[];
  readonly askedEntities: AskedEntities[];
}

export interface SubgraphDataSourceOptions {
  readonly subgraph: string;
  readonly connections: SubgraphConnections;
  readonly responseBounds: JsonBounds;
}

/** An error of a fetch. `@apollo/gateway` keeps it, and computes its path in the whole response. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly error: SubrequestError | ReportedError;
  /** In the response of the fetch. */
  readonly path?: ResponsePath;

  constructor(error: SubrequestError | ReportedError, path: ResponsePath | undefined) {
    super(error.kind);
    this.error = error;
    if (path !== undefined) {
      this.path = path;
    }
  }
}

/** The arguments that `@apollo/gateway` passes for a fetch; its own types leave most of them open. */
interface Fetch {
  readonly request: {
    readonly query?: string | undefined;
    readonly variables?: { readonly representations?: readonly object[] } | undefined;
    readonly operationName?: string | undefined;
  };
  readonly document: DocumentNode | undefined;
  readonly path: ResponsePath;
}

/**
 * Sends the fetches of a plan to one subgraph, over this gateway's own client: `RemoteGraphQLDataSource` has neither
 * a timeout nor a size limit, and puts URLs and bodies into errors.
 */
export function createSubgraphDataSource(options: SubgraphDataSourceOptions): GraphQLDataSource {
  return {
    async process(processing) {
      const { request, context } = processing;
      const isOfPlan = 'incomingRequestContext' in processing;
      const fetch: Fetch = {
        request,
        document: isOfPlan ? processing.document : undefined,
        path: (isOfPlan && processing.pathInIncomingRequest) || [],
      };
      const notes: RunNotes = context['notes'];
      return await runFetch(fetch, notes, options);
    },
  };
}

type FetchResponse = Awaited<ReturnType<GraphQLDataSource['process']>>;

async function runFetch(
  { request, document, path }: Fetch,
  notes: RunNotes,
  { subgraph, connections: { transport, forwardHeaders }, responseBounds }: SubgraphDataSourceOptions,
): Promise<FetchResponse> {
  const { query, variables, operationName } = request;
  const { run } = notes;
  const operationKind = isQuery(document) ? 'query' : 'mutation';
  const representations = asksForEntities(document) ? variables?.representations : undefined;
  const entityCount = representations?.length;
  const rules = { bounds: responseBounds, numbers: 'double' } as const;
  const fieldPaths = (): readonly ResponsePath[] =>
    document === undefined ? [] : fetchPaths(document, representations);
  const observed = run.observer?.onFetch({
    step: undefined,
    subgraph,
    operationKind,
    operationName,
    entityCount,
  });
  try {
    const { text, cacheControl } = await transport.send({
      subgraph,
      operationKind,
      body: JSON.stringify({ query, variables, operationName }),
      headers: { ...run.addedHeaders, ...forwardHeaders(subgraph, notes), ...observed?.headers },
      signal: run.signal,
    });
    const response = readResponse(text, entityCount, rules);
    observed?.onResponse(response.errors.length);
    if (cacheControl !== undefined) {
      notes.cacheControl.push(cacheControl);
    }
    if (response.entities.includes(null)) {
      notes.askedEntities.push({ path, isMissing: response.entities.map((entity) => entity === null) });
    }
    return responseOf(response, subgraph, fieldPaths);
  } catch (error) {
    observed?.onFailure(error);
    if (!(error instanceof SubgraphFailure)) {
      throw error;
    }
    const failure = { kind: 'subrequest', code: error.code, subgraph, cause: error } as const;
    const refused = readRefused(error, entityCount, rules);
    if (refused !== undefined) {
      const read = responseOf(refused, subgraph, fieldPaths);
      return { ...read, errors: [...(read.errors ?? []), new FetchError(failure, undefined)] };
    }
    const paths = document === undefined ? [undefined] : fieldPaths();
    return { errors: paths.map((fieldPath) => new FetchError(failure, fieldPath)) };
  }
}

/** An error without a path applies to each place of the fetch that is left empty. */
function responseOf(
  { data, errors }: FetchAnswer,
  subgraph: string,
  places: () => readonly ResponsePath[],
): FetchResponse {
  const emptyPlaces = (): readonly (ResponsePath | undefined)[] => {
    const empty = places().filter((place) => !isBrought(place, data));
    return empty.length > 0 ? empty : [undefined];
  };
  const reported = errors.flatMap(({ message, extensions, path }) =>
    (path === undefined ? emptyPlaces() : [path]).map(
      (place) => new FetchError({ kind: 'reported', subgraph, message, extensions }, place),
    ),
  );
  return { data, ...(reported.length > 0 && { errors: reported }) };
}

function isBrought(place: ResponsePath, data: unknown): boolean {
  let value = data;
  for (const key of place) {
    value = isObject(value) ? value[String(key)] : null;
  }
  return value !== null && value !== undefined;
}

/**
 * True when the planner declared the variable `representations`; in the fetch of a root field, it can only be
 * a client's.
 */
function asksForEntities(document: DocumentNode | undefined): boolean {
  return operationsOf(document).some(({ selectionSet }) =>
    selectionSet.selections.some(
      (selection) => selection.kind === Kind.FIELD && selection.name.value === '_entities',
    ),
  );
}

/** True when it may be sent twice. Without a document it is not a fetch of a plan. */
function isQuery(document: DocumentNode | undefined): boolean {
  return operationsOf(document).some(({ operation }) => operation === OperationTypeNode.QUERY);
}

function operationsOf(document: DocumentNode | undefined): readonly OperationDefinitionNode[] {
  return (document?.definitions ?? []).filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}
