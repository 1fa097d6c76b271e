import type { GraphQLDataSource } from '@apollo/gateway';
import type { DocumentNode } from 'graphql';

import type { ForwardHeaders } from '../../subgraphs/forwarded-headers.ts';
import type { SubgraphClient, SubgraphTransport } from '../../subgraphs/subgraph-client.ts';
import { SubgraphFailure } from '../../subgraphs/subgraph-failure.ts';
import type { ReportedError, ResponsePath, Run, SubrequestError } from '../executor.ts';
import { fetchPaths } from './fetch-paths.ts';
import type { FetchResult } from './fetch-result.ts';
import { readFetchResult } from './fetch-result.ts';

/** What data sources leave with a run. */
export interface RunNotes {
  readonly run: Run;
  readonly cacheControl: string[];
  /** The paths, with `@` for the items of a list, of entities that a subgraph says are not there. */
  readonly missingEntities: ResponsePath[];
}

export interface SubgraphDataSourceOptions {
  readonly subgraph: string;
  readonly transport: SubgraphTransport;
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
  { subgraph, transport, client, forwardHeaders }: SubgraphDataSourceOptions,
): Promise<FetchResponse> {
  const { query, variables, operationName } = request;
  const { run } = notes;
  try {
    const { body, cacheControl } = await client.send(transport, {
      body: JSON.stringify({ query, variables, operationName }),
      headers: { ...run.ownHeaders, ...forwardHeaders(run.headers) },
      signal: run.signal,
    });
    const result = readFetchResult(body, variables?.representations?.length);
    if (cacheControl !== undefined) {
      notes.cacheControl.push(cacheControl);
    }
    if (result.hasMissingEntity) {
      notes.missingEntities.push(path);
    }
    return responseOf(result, subgraph);
  } catch (error) {
    if (!(error instanceof SubgraphFailure)) {
      throw error;
    }
    const failure = { kind: 'subrequest', code: error.code, subgraph, cause: error } as const;
    const paths = document === undefined ? [undefined] : fetchPaths(document, variables?.representations);
    return { errors: paths.map((fieldPath) => new FetchError(failure, fieldPath)) };
  }
}

function responseOf({ data, errors }: FetchResult, subgraph: string): FetchResponse {
  const reported = errors.map(
    ({ message, extensions, path }) =>
      new FetchError({ kind: 'reported', subgraph, message, extensions }, path),
  );
  return { data, ...(reported.length > 0 && { errors: reported }) };
}
