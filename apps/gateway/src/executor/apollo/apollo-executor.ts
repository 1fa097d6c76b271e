import process from 'node:process';

import { ApolloGateway } from '@apollo/gateway';
import { supergraphFault } from '@meridian/executor';
import type { Logger } from '@meridian/telemetry';
import type { GraphQLError } from 'graphql';

import type { ExecutionError, ExecutionResult, Executor, ExecutorOptions } from '../executor.ts';
import type { AskedEntities } from './missing-entities.ts';
import { isItselfNull, missingEntityAt } from './missing-entities.ts';
import type { RunNotes } from './subgraph-data-source.ts';
import { FetchError, createSubgraphDataSource } from './subgraph-data-source.ts';
import { withoutRefusedLinks } from './without-refused-links.ts';

export type ApolloExecutorOptions = Pick<
  ExecutorOptions,
  'supergraph' | 'connections' | 'logger' | 'responseBounds'
>;

type RequestContext = Parameters<ApolloGateway['executor']>[0];
/** The members of it that the package reads. */
type UsedRequestContext = Pick<
  RequestContext,
  'context' | 'document' | 'logger' | 'metrics' | 'operationName' | 'queryHash' | 'request' | 'schema'
>;
type GatewayResult = Awaited<ReturnType<ApolloGateway['executor']>>;

/**
 * Creates an executor over stock `@apollo/gateway`, with the parts of the supergraph that it understands and this
 * gateway's client for the subgraphs.
 *
 * @throws {SupergraphError} where the package refuses the supergraph
 */
export async function createApolloExecutor(options: ApolloExecutorOptions): Promise<Executor> {
  const { supergraph, logger, connections, responseBounds } = options;
  // The package sends telemetry to its maker unless this says otherwise when the gateway is created.
  process.env['APOLLO_TELEMETRY_DISABLED'] = '1';
  const gateway = new ApolloGateway({
    supergraphSdl: withoutRefusedLinks(supergraph),
    buildService: ({ name }) => createSubgraphDataSource({ subgraph: name, connections, responseBounds }),
    queryPlannerConfig: { exposeDocumentNodeInFetchNode: true },
    // The supergraph was validated when it was loaded.
    validateSupergraph: false,
    __exposeQueryPlanExperimental: false,
    logger: quiet(logger),
  });
  const { schema, executor } = await gateway.load().catch((error: unknown) => {
    throw supergraphFault(error);
  });

  return {
    prepare: (operation) => ({
      async run(run) {
        const { key, document, name } = operation;
        const notes: RunNotes = { operation, run, cacheControl: [], askedEntities: [] };
        const context: UsedRequestContext = {
          request: { variables: { ...run.variables }, ...(name !== undefined && { operationName: name }) },
          document,
          operationName: name ?? null,
          queryHash: key,
          context: { notes },
          metrics: {},
          schema,
          logger: quiet(logger),
        };
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of it is Apollo Server's, and is not read
        const result = await executor(context as RequestContext);
        // The package continues after a failed fetch, even when it failed because the client hung up.
        run.signal.throwIfAborted();
        return resultOf(result, notes);
      },
      // The package plans an operation only when it runs it.
      plan: () => Promise.resolve(),
    }),
    close: () => gateway.stop(),
  };
}

function resultOf(result: GatewayResult, { cacheControl, askedEntities }: RunNotes): ExecutionResult {
  const data: unknown = result.data ?? null;
  return {
    data: JSON.stringify(data),
    errors: [
      ...(result.errors ?? []).map(errorOf),
      ...violations(result.extensions?.['valueCompletion'], askedEntities, data),
    ],
    cacheControl,
  };
}

function errorOf(error: unknown): ExecutionError {
  if (!isGraphqlError(error)) {
    return { kind: 'internal', cause: error };
  }
  const path = error.path && { path: error.path };
  return error.originalError instanceof FetchError
    ? { ...error.originalError.error, ...path }
    : { kind: 'internal', cause: error, ...path };
}

/** By its name: in the npm package, `@apollo/gateway` has a graphql of its own, with another class of errors. */
function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}

/**
 * Reports nulls in non-null places, which the package only notes, as errors: a client could not tell them from
 * values. A missing entity is not an error if its place is nullable.
 *
 * Spec: Execution rules, rules 4 and 10.
 */
function violations(
  noted: unknown,
  askedEntities: readonly AskedEntities[],
  data: unknown,
): readonly ExecutionError[] {
  return (Array.isArray(noted) ? noted : []).flatMap((note: unknown): ExecutionError[] => {
    if (!isGraphqlError(note)) {
      return [];
    }
    const missing = missingEntityAt(note.path ?? [], askedEntities, data);
    if (missing !== undefined && isItselfNull(missing, data)) {
      return [];
    }
    const path = missing ?? note.path;
    return [
      { kind: 'subrequest', code: 'SUBREQUEST_MALFORMED_RESPONSE', cause: note, ...(path && { path }) },
    ];
  });
}

/** The package's information is a detail of this gateway. */
function quiet(logger: Logger): Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> {
  return {
    debug: (message: string) => logger.trace(message),
    info: (message: string) => logger.debug(message),
    warn: (message: string) => logger.warn(message),
    error: (message: string) => logger.error(message),
  };
}
