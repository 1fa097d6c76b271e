import type {
  DocumentNode,
  ExecutionResult as GraphqlResult,
  GraphQLSchema,
  OperationDefinitionNode,
  VariableDefinitionNode,
} from 'graphql';
import { parseJsonExactly } from '@meridian/json';
import { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { PreparedOperation } from '../executor.ts';
import { createExecutor } from '../executor.ts';
import type { VariableFault } from '../operation/coerce-variables.ts';
import { coerceVariables } from '../operation/coerce-variables.ts';
import type { ExecutionError, ExecutionResult } from '../result.ts';
import type { RunParameters } from '../run/run-parameters.ts';
import { createPlannerThread } from '../planning/planner-thread.ts';
import { loadSupergraph } from '../supergraph/load-supergraph.ts';
import { subrequestMessages } from '../subrequest-messages.ts';
import type { SubgraphTransport } from '../transport/subgraph-transport.ts';

type AnyContext = Readonly<Record<string, unknown>>;

/** The run of an Apollo Server's operation, as interceptors of the transport see it. */
export interface ApolloServerRun<Context = AnyContext> extends RunParameters {
  /** As Apollo Server's `context` function made it. */
  readonly context: Context;
}

export interface ApolloServerGatewayOptions<Context = AnyContext> {
  readonly supergraphSdl: string;
  readonly transport: SubgraphTransport<ApolloServerRun<Context>>;
  /** The header fields that a subgraph gets, in lower case. Default: none. */
  readonly headersFor?: (subgraph: string, context: Context) => Readonly<Record<string, string>>;
  /** The number of operations that are kept compiled. Default: 1000. */
  readonly cachedOperations?: number;
}

/** The parts of Apollo Server's `gateway` interface that it uses. */
export interface ApolloServerGateway {
  load(): Promise<{ readonly executor: (request: GatewayRequest) => Promise<GraphqlResult> }>;
  onSchemaLoadOrUpdate(callback: (schema: LoadedSchema) => void): () => void;
  stop(): Promise<void>;
}

export interface LoadedSchema {
  readonly apiSchema: GraphQLSchema;
  readonly coreSupergraphSdl: string;
}

/** The members of Apollo Server's request that are read. Its operation is valid. */
export interface GatewayRequest {
  readonly request: { readonly variables?: Readonly<Record<string, unknown>> };
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly queryHash: string;
  /** As Apollo Server's `context` function made it. */
  readonly context: AnyContext;
}

/**
 * Creates the `gateway` of an Apollo Server: `new ApolloServer({ gateway })`. The transport stays the caller's.
 *
 * @throws {SupergraphError} where the supergraph cannot be run
 */
export function createApolloServerGateway<Context = AnyContext>({
  supergraphSdl,
  transport,
  headersFor = () => ({}),
  cachedOperations = 1000,
}: ApolloServerGatewayOptions<Context>): ApolloServerGateway {
  const supergraph = loadSupergraph(supergraphSdl);
  const planner = createPlannerThread(supergraph);
  const executor = createExecutor({ supergraph, transport, planner });
  const prepared = new LRUCache<string, PreparedOperation<ApolloServerRun<Context>>>({
    max: cachedOperations,
  });

  const prepare = ({
    document,
    operation,
    queryHash,
  }: GatewayRequest): PreparedOperation<ApolloServerRun<Context>> => {
    const name = operation.name?.value;
    const key = `${queryHash} ${name ?? ''}`;
    const known = prepared.get(key) ?? executor.prepare({ document, name });
    prepared.set(key, known);
    return known;
  };
  const execute = async (request: GatewayRequest): Promise<GraphqlResult> => {
    const definitions = request.operation.variableDefinitions ?? [];
    const { coerced, faults } = coerceVariables(
      supergraph.apiSchema,
      definitions,
      request.request.variables ?? {},
    );
    if (faults !== undefined) {
      return { errors: faults.map((fault) => errorOfVariable(fault, definitions)) };
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's own type says so
    const context = request.context as Context;
    const result = await prepare(request).run({
      variables: coerced,
      context,
      headersFor: (subgraph) => headersFor(subgraph, context),
      // Apollo Server does not say when a client has gone.
      signal: new AbortController().signal,
    });
    return graphqlResultOf(result);
  };

  return {
    load: () => Promise.resolve({ executor: execute }),
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: supergraph.apiSchema, coreSupergraphSdl: supergraphSdl });
      return () => {};
    },
    stop: () => planner.close(),
  };
}

function errorOfVariable(
  { variable, message }: VariableFault,
  definitions: readonly VariableDefinitionNode[],
): GraphQLError {
  return new GraphQLError(message, {
    nodes: definitions.filter((definition) => definition.variable.name.value === variable),
  });
}

function graphqlResultOf({ data, errors }: ExecutionResult): GraphqlResult {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the executor wrote it: an object or null
  const parsed = parseJsonExactly(data) as GraphqlResult['data'] & object;
  return { data: parsed, ...(errors.length > 0 && { errors: errors.map(graphqlErrorOf) }) };
}

/**
 * An error of a run as a GraphQL server has it. Errors that a subgraph reported pass unchanged. The message about a
 * failed request never names a host.
 */
function graphqlErrorOf(error: ExecutionError): GraphQLError {
  const path = error.path ?? null;
  switch (error.kind) {
    case 'reported':
      return new GraphQLError(error.message, {
        path,
        extensions: { ...error.extensions, serviceName: error.subgraph },
      });
    case 'subrequest':
      return new GraphQLError(subrequestMessages[error.code], {
        path,
        extensions: {
          code: error.code,
          ...(error.subgraph !== undefined && { serviceName: error.subgraph }),
        },
      });
    case 'omitted':
      return new GraphQLError('Further errors are left out', {
        path,
        extensions: {
          code: 'INTERNAL_SERVER_ERROR',
          ...(error.subgraph !== undefined && { serviceName: error.subgraph }),
        },
      });
    case 'internal':
    default:
      return new GraphQLError('The gateway failed', { path, extensions: { code: 'INTERNAL_SERVER_ERROR' } });
  }
}
