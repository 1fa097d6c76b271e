import type { Caller } from '@meridian/auth';
import type { Planner } from '@meridian/executor';
import { createSubgraphClient, loadSupergraph } from '@meridian/executor';
import { createLogger } from '@meridian/telemetry';
import { parse } from 'graphql';

import type { SubgraphSettings } from '../../src/config/subgraph-settings.ts';
import type { GraphqlRequest } from '../../src/operation/graphql-request.ts';
import type { RunError } from '../../src/operation/run.ts';
import { planningCaller } from '../../src/operation/run.ts';
import type { ExecutorKind } from '../../src/executor/open-executor.ts';
import { openExecutor } from '../../src/executor/open-executor.ts';
import { createExecution } from '../../src/pipeline/5-execute/execute-operation.ts';
import { connectSubgraphs } from '../../src/subgraphs/connect-subgraphs.ts';
import { addHeaders } from '../../src/subgraphs/header-rules.ts';
import type { AdmittedOperation } from '../../src/operation/admitted-operation.ts';
import type { Shop } from '../support/start-shop.ts';
import { sharedPlanner } from '../support/shared-planner.ts';
import { startShop } from '../support/start-shop.ts';

/** The result of a run with its data parsed. */
export interface ParsedResult {
  readonly data: unknown;
  readonly errors: readonly RunError[];
  readonly cacheControl: readonly string[];
}

export interface RunOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  /** As the client sent them. `authorization` is forwarded to the subgraphs. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Default: an anonymous one. */
  readonly identity?: Caller;
}

/** An executor over the shop's subgraphs, through the interface that the pipeline knows. */
export interface ExecutorUnderTest extends Pick<Shop, 'products' | 'reviews'> {
  run(query: string, options?: RunOptions): Promise<ParsedResult>;
  /** Plans ahead what the first run would plan. */
  plan(query: string): Promise<void>;
  close(): Promise<void>;
}

const settings: SubgraphSettings = {
  url: undefined,
  timeoutMs: 30_000,
  maxResponseBytes: 1_048_576,
  deduplicatesQueries: true,
  mergesFetches: true,
  sendsHashes: false,
  isHttp2Allowed: false,
  isHttp2Required: false,
  signature: undefined,
  compression: undefined,
  certificates: undefined,
  circuit: undefined,
  retry: undefined,
  rateLimit: undefined,
  responseHeaderRules: [],
  headerRules: [
    {
      propagate: { named: 'authorization', matching: undefined, rename: undefined, default: undefined },
      insert: undefined,
      remove: undefined,
    },
  ],
};

export async function startExecutor(
  kind: ExecutorKind,
  measuredPlanner: (planner: Planner) => Planner = (planner) => planner,
): Promise<ExecutorUnderTest> {
  const shop = await startShop();
  const supergraph = loadSupergraph(shop.supergraphSdl);
  const client = createSubgraphClient();
  const { transport, forwarded } = connectSubgraphs(supergraph.subgraphs, {
    settingsOf: () => settings,
    client,
    tlsOf: () => undefined,
    measureCalls: () => (request, next) => next(request),
  });
  const executor = await openExecutor(kind, {
    supergraph,
    transport,
    logger: createLogger({ service: 'gateway', level: 'silent' }),
    createPlanner: () => sharedPlanner(supergraph),
    measuredPlanner,
    storedPlanner: (planner) => planner,
    responseBounds: { maxDepth: 100, maxValues: 10_000 },
    isMerged: () => true,
    isDeferring: true,
    onSlowPathResponse: () => {},
  });
  const { execute, planAhead } = createExecution(executor, [addHeaders(forwarded)]);
  const operationOf = (query: string): AdmittedOperation => ({
    key: query,
    name: undefined,
    type: query.startsWith('mutation') ? 'mutation' : 'query',
    document: parse(query, { noLocation: true }),
    defers: undefined,
  });
  return {
    products: shop.products,
    reviews: shop.reviews,
    async run(query, { variables = {}, headers = {}, signal = new AbortController().signal, identity } = {}) {
      const request: GraphqlRequest = {
        method: 'POST',
        headers,
        peer: '127.0.0.1',
        query,
        persistedQueryId: undefined,
        operationName: undefined,
        variables,
        extensions: {},
      };
      const { data, errors, cacheControl } = await execute({
        operation: operationOf(query),
        variables,
        request,
        identity,
        caller: planningCaller(identity, request),
        addedHeaders: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
        signal,
      });
      return { data: JSON.parse(data) as unknown, errors, cacheControl };
    },
    async plan(query) {
      await planAhead(operationOf(query), { variables: {} });
    },
    async close() {
      await executor.close();
      await client.close();
      await shop.close();
    },
  };
}
