import type { GraphQLDataSource } from '@apollo/gateway';
import type {
  FetchAnswer,
  ReportedError,
  ResponsePath,
  SubgraphClient,
  SubgraphTarget,
  SubrequestError,
} from '@meridian/executor';
import { SubgraphFailure, readAnswer } from '@meridian/executor';
import type { DocumentNode } from 'graphql';
import { Kind, OperationTypeNode } from 'graphql';

import type { ForwardHeaders } from '../../subgraphs/forwarded-headers.ts';
import type { Run } from '../executor.ts';
import { fetchPaths } from './fetch-paths.ts';

/** What data sources leave with a run. */
export interface RunNotes {
  readonly run: Run;
  readonly cacheControl: string[];
  /** The paths, with `@` for the items of a list, of entities that a subgraph says are not there. */
  readonly missingEntities: ResponsePath[];
}

export interface SubgraphDataSourceOptions {
  readonly subgraph: string;
  readonly target: SubgraphTarget;
  readonly client: SubgraphClient;
  readonly forwardHeaders: ForwardHeaders;
}

/** An error of a fetch on its way through `@apollo/gateway`, which keeps it and works out the path in the whole answer. */
export class FetchError extends Error {
  readonly error: SubrequestError | ReportedError;
  /** In the answer of the fetch. */
  readonly path?: ResponsePath;

  constructor(error: SubrequestError | ReportedError, path: ResponsePath | undefined) {
    super(error.kind);
    this.error = error;
    if (path !== undefined) {
      this.path = path;
    }
  }
}

/** What `@apollo/gateway` passes along for a fetch; its own types leave most of that open. */
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
 * Sends the fetches of a plan to one subgraph, over this gateway's own client: `RemoteGraphQLDataSource` knows no timeout
 * and no cap, and puts URLs and bodies into errors.
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
  { subgraph, target, client, forwardHeaders }: SubgraphDataSourceOptions,
): Promise<FetchResponse> {
  const { query, variables, operationName } = request;
  const { run } = notes;
  try {
    const { text, cacheControl } = await client.send(target, {
      operationKind: isQuery(document) ? 'query' : 'mutation',
      body: JSON.stringify({ query, variables, operationName }),
      headers: { ...run.ownHeaders, ...forwardHeaders(run.headers) },
      signal: run.signal,
    });
    const answer = readAnswer(text, variables?.representations?.length);
    if (cacheControl !== undefined) {
      notes.cacheControl.push(cacheControl);
    }
    if (answer.errors.length === 0 && answer.entities.includes(null)) {
      notes.missingEntities.push(path);
    }
    return responseOf(answer, subgraph);
  } catch (error) {
    if (!(error instanceof SubgraphFailure)) {
      throw error;
    }
    const failure = { kind: 'subrequest', code: error.code, subgraph, cause: error } as const;
    const paths = document === undefined ? [undefined] : fetchPaths(document, variables?.representations);
    return { errors: paths.map((fieldPath) => new FetchError(failure, fieldPath)) };
  }
}

function responseOf({ data, errors }: FetchAnswer, subgraph: string): FetchResponse {
  const reported = errors.map(
    ({ message, extensions, path }) =>
      new FetchError({ kind: 'reported', subgraph, message, extensions }, path),
  );
  return { data, ...(reported.length > 0 && { errors: reported }) };
}

/** Whether it may be sent twice; what has no document is no fetch of a plan. */
function isQuery(document: DocumentNode | undefined): boolean {
  return (
    document?.definitions.some(
      (definition) =>
        definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.QUERY,
    ) ?? false
  );
}
