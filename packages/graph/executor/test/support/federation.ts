import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { composeSupergraph } from '@meridian/composition';
import { parse, validate } from 'graphql';

import type {
  ExecutionError,
  Executor,
  ExecutorOptions,
  OperationPlan,
  SubgraphClient,
  SubgraphTarget,
  Supergraph,
} from '../../src/index.ts';
import {
  createExecutor,
  createHttpTransport,
  createSubgraphClient,
  loadSupergraph,
} from '../../src/index.ts';
import type { StubSubgraph, SubgraphDefinition } from './stub-subgraph.ts';
import { sdlOf, startStubSubgraph } from './stub-subgraph.ts';

/** An answer, with the data parsed. */
export interface Outcome {
  readonly data: unknown;
  readonly errors: readonly ExecutionError[];
}

export type Variables = Readonly<Record<string, unknown>>;

/** An executor over subgraphs on loopback. */
export interface Federation<Name extends string> {
  readonly supergraph: Supergraph;
  readonly executor: Executor;
  readonly subgraphs: Readonly<Record<Name, StubSubgraph>>;
  /** Runs an operation that must be valid. */
  run(text: string, variables?: Variables, signal?: AbortSignal): Promise<Outcome>;
  plan(text: string, variables?: Variables): Promise<OperationPlan>;
  /** Runs an operation with stock `@apollo/gateway`. */
  runStock(text: string, variables?: Variables): Promise<unknown>;
  close(): Promise<void>;
}

export interface FederationOptions {
  /** The subgraphs' timeouts, by name. Default: 5000. */
  readonly timeoutsMs?: Readonly<Record<string, number>>;
  readonly maxResponseBytes?: number;
  /** Default: the compiled one. */
  readonly create?: (options: ExecutorOptions) => Executor;
  /** Closed with the federation. */
  readonly client?: SubgraphClient;
}

export async function startFederation<Name extends string>(
  definitions: Readonly<Record<Name, SubgraphDefinition>>,
  {
    timeoutsMs = {},
    maxResponseBytes = 1_000_000,
    create = createExecutor,
    client = createSubgraphClient(),
  }: FederationOptions = {},
): Promise<Federation<Name>> {
  const entries = Object.entries<SubgraphDefinition>(definitions);
  const supergraph = supergraphOf(definitions);
  const started = await Promise.all(entries.map(([name, definition]) => startStubSubgraph(name, definition)));
  const urls = new Map(started.map(({ name, url }) => [name, url]));
  const targets = new Map<string, SubgraphTarget>(
    started.map(({ name, url }) => [name, { url, timeoutMs: timeoutsMs[name] ?? 5000, maxResponseBytes }]),
  );
  const transport = createHttpTransport({ client, targets });
  const executor = create({ supergraph, transport });
  let stock: ApolloGateway | undefined;

  const prepare = (text: string): ReturnType<Executor['prepare']> => {
    const document = parse(text);
    const [invalid] = validate(supergraph.apiSchema, document);
    if (invalid !== undefined) {
      throw invalid;
    }
    return executor.prepare({ document });
  };
  return {
    supergraph,
    executor,
    subgraphs: Object.fromEntries(started.map((subgraph) => [subgraph.name, subgraph])) as Record<
      Name,
      StubSubgraph
    >,
    async run(text, variables = {}, signal = new AbortController().signal) {
      const { data, errors } = await prepare(text).run({ variables, headersFor: () => ({}), signal });
      return { data: JSON.parse(data) as unknown, errors };
    },
    plan: async (text, variables = {}) => await prepare(text).plan(variables),
    async runStock(text, variables = {}) {
      if (stock === undefined) {
        stock = new ApolloGateway({
          supergraphSdl: supergraph.sdl,
          buildService: ({ name }) => new RemoteGraphQLDataSource({ url: urls.get(name) ?? '' }),
          logger: { debug() {}, info() {}, warn() {}, error() {} },
        });
        await stock.load();
      }
      return await runOnStock(stock, text, variables);
    },
    async close() {
      await stock?.stop();
      await client.close();
      await Promise.all(started.map((subgraph) => subgraph.close()));
    },
  };
}

/** The supergraph of subgraphs, each given by its definition, or by its schema alone. */
export function supergraphOf(subgraphs: Readonly<Record<string, SubgraphDefinition | string>>): Supergraph {
  return loadSupergraph(
    composeSdl(
      Object.entries(subgraphs).map(([name, given]) => ({
        name,
        sdl: sdlOf(typeof given === 'string' ? { sdl: given, resolvers: {} } : given),
        routingUrl: `http://${name}.invalid`,
      })),
    ),
  );
}

export function composeSdl(
  subgraphs: readonly { readonly name: string; readonly sdl: string; readonly routingUrl: string }[],
): string {
  const composition = composeSupergraph([...subgraphs]);
  if (composition.errors !== undefined) {
    throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  }
  return composition.supergraphSdl;
}

async function runOnStock(stock: ApolloGateway, text: string, variables: Variables): Promise<unknown> {
  const context = {
    request: { query: text, variables },
    document: parse(text),
    operationName: null,
    queryHash: text,
    context: {},
    metrics: {},
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    schema: stock.schema,
    cache: { get: async () => undefined, set: async () => {}, delete: async () => false },
  };
  const { data } = await stock.executor(context as unknown as Parameters<ApolloGateway['executor']>[0]);
  return JSON.parse(JSON.stringify(data ?? null)) as unknown;
}
