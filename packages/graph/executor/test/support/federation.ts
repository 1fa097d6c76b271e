import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import { parse, validate } from 'graphql';

import type {
  ExecutionError,
  ExecutionResult,
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
  /** The data of an operation, which must have no errors. */
  dataOf(text: string, variables?: Variables): Promise<unknown>;
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
  const run: Federation<Name>['run'] = async (
    text,
    variables = {},
    signal = new AbortController().signal,
  ) => {
    const { data, errors } = await prepare(text).run({ variables, headersFor: () => ({}), signal });
    return { data: JSON.parse(data) as unknown, errors };
  };
  return {
    supergraph,
    executor,
    subgraphs: Object.fromEntries(started.map((subgraph) => [subgraph.name, subgraph])) as Record<
      Name,
      StubSubgraph
    >,
    run,
    async dataOf(text, variables) {
      const { data, errors } = await run(text, variables);
      expect(errors).toEqual([]);
      return data;
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

/** The federation of a block of tests, from the start of the first to the end of the last. Each finds its subgraphs reset. */
export function useFederation<Name extends string>(
  ...given: Parameters<typeof startFederation<Name>>
): Federation<Name> {
  const federation = {} as Federation<Name>;
  beforeAll(async () => void Object.assign(federation, await startFederation(...given)));
  afterEach(() => Object.values<StubSubgraph>(federation.subgraphs).forEach((subgraph) => subgraph.reset()));
  afterAll(() => federation.close());
  return federation;
}

/** Runs an operation, which nothing stops. */
export async function runText(
  executor: Executor,
  text: string,
  variables: Variables = {},
): Promise<ExecutionResult> {
  return await executor
    .prepare({ document: parse(text) })
    .run({ variables, headersFor: () => ({}), signal: new AbortController().signal });
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
