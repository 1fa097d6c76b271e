import { parse, validate } from 'graphql';

import type {
  Executor,
  ExecutorOptions,
  RunParameters,
  SubscriptionEvent,
  SubscriptionStream,
} from '../../src/index.ts';
import {
  createExecutor,
  createHttpTransport,
  createSubgraphClient,
  deduplicateQueries,
} from '../../src/index.ts';
import type { EventSource } from '../../src/subscriptions.ts';
import { createStreams } from '../../src/subscriptions.ts';
import { supergraphOf } from '../support/federation.ts';
import type { StubSubgraph } from '../support/stub-subgraph.ts';
import { startStubSubgraph } from '../support/stub-subgraph.ts';
import { namesSdl, pricesSdl } from './price-feed.ts';

/** An executor over the subgraph `prices`, which has the subscriptions, and `names`. */
export interface StreamingFederation {
  readonly executor: Executor;
  readonly names: StubSubgraph;
  /** The number of events that were dropped. */
  readonly dropped: () => number;
  /** The number of runs that left the fast path. */
  readonly bailOuts: () => number;
  readonly subscribe: (text: string, run?: Partial<RunParameters>) => Promise<SubscriptionStream>;
  close(): Promise<void>;
}

export interface StreamingFederationOptions extends Pick<ExecutorOptions, 'admitPlan'> {
  readonly queueCapacity?: number;
}

export async function startStreamingFederation(
  source: EventSource,
  { queueCapacity = 128, admitPlan }: StreamingFederationOptions = {},
): Promise<StreamingFederation> {
  const supergraph = supergraphOf({ prices: pricesSdl, names: namesSdl });
  const names = await startStubSubgraph('names', {
    sdl: namesSdl,
    resolvers: {
      Product: {
        __resolveReference: ({ id }: { id: string }) => ({ id, name: `product ${id}`, maker: 'ACME' }),
      },
      Query: { product: () => null },
    },
  });
  const client = createSubgraphClient();
  let dropped = 0;
  let bailOuts = 0;
  const executor = createExecutor({
    supergraph,
    admitPlan,
    watch: { onSlowPath: () => (bailOuts += 1) },
    transport: createHttpTransport({
      client,
      targets: new Map([['names', { url: names.url, timeoutMs: 5000, maxResponseBytes: 1_000_000 }]]),
      interceptorsOf: () => [deduplicateQueries()],
      subscribe: createStreams({
        sources: new Map([['prices', source]]),
        queueCapacity,
        onDrop: () => (dropped += 1),
      }),
    }),
  });
  return {
    executor,
    names,
    dropped: () => dropped,
    bailOuts: () => bailOuts,
    async subscribe(text, run = {}) {
      const document = parse(text);
      const [invalid] = validate(supergraph.apiSchema, document);
      if (invalid !== undefined) {
        throw invalid;
      }
      const signal = new AbortController().signal;
      return await executor.prepare({ document }).subscribe({ variables: {}, signal, ...run });
    },
    async close() {
      await client.close();
      await names.close();
    },
  };
}

/** The next events, as data with errors; ends the stream after them. */
export async function take(stream: SubscriptionStream, count: number): Promise<readonly SubscriptionEvent[]> {
  const events: SubscriptionEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (events.length === count) {
      break;
    }
  }
  return events;
}

export function dataOf(events: readonly SubscriptionEvent[]): readonly unknown[] {
  return events.map(({ result }) => JSON.parse(result?.data ?? 'null') as unknown);
}
