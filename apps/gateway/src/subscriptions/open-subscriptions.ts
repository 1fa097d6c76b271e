import { createStreamAgent, createStreams } from '@meridian/executor/subscriptions';
import type { Exchange } from '@meridian/http';
import type { Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { SubscriptionsConfig } from '../config/subscriptions-config.ts';
import type { OpenStreams } from '../subgraphs/connect-subgraphs.ts';
import { createSubgraphStreamMetrics } from '../telemetry/subgraph-stream-metrics.ts';
import type { CallbackListenerOptions } from './listen-for-callbacks.ts';
import { listenForCallbacks } from './listen-for-callbacks.ts';
import type { OpenedSources, SourceParts } from './stream-sources.ts';
import { streamSources } from './stream-sources.ts';

/** The parts that the streams of all graphs share, for the life of the process. */
export type Subscriptions = Awaited<ReturnType<typeof openSubscriptions>>;

export interface SubscriptionsOptions extends Omit<CallbackListenerOptions, 'callbacks' | 'maxBytes'> {
  readonly config: Pick<GatewayConfig, 'callbacks' | 'file'>;
  readonly metrics: Metrics;
}

/**
 * Opens them, with the listener for callbacks where it is configured.
 *
 * @throws {ListenError}
 */
export async function openSubscriptions({
  config: { callbacks, file },
  metrics,
  ...options
}: SubscriptionsOptions) {
  const agents = new Map<unknown, ReturnType<typeof createStreamAgent>>();
  const streamMetrics = createSubgraphStreamMetrics(metrics);
  const maxBytes = file.limits.subgraph.all.http_max_response_size;
  const listener = callbacks && (await listenForCallbacks({ ...options, callbacks, maxBytes }));
  const agentOf: SourceParts['agentOf'] = (peer) => {
    const held = peer.socketPath ?? peer.tls;
    const agent = agents.get(held) ?? createStreamAgent(peer);
    agents.set(held, agent);
    return agent;
  };
  const parts = { agentOf, metrics: streamMetrics, callbacks: listener };
  // So that subscriptions share a stream with those that an earlier supergraph has opened.
  const sourcesOf = new WeakMap<SubscriptionsConfig, OpenedSources>();
  return {
    /** Opens the streams of one graph's subgraphs. */
    streamsFor:
      (config: SubscriptionsConfig): OpenStreams =>
      (targets) => {
        const opened = sourcesOf.get(config) ?? new Map();
        sourcesOf.set(config, opened);
        return createStreams({
          sources: streamSources(targets, config, { ...parts, opened }),
          queueCapacity: config.queueCapacity,
          onDrop: streamMetrics.countDropped,
        });
      },
    /** Takes a subgraph's call that has come to the address of clients; false for another request. */
    takeCallback: (exchange: Exchange): boolean => listener?.take(exchange) === true,
    /** Breaks off the streams that are still open. */
    async close(): Promise<void> {
      listener?.close();
      await Promise.all(Array.from(agents.values(), (agent) => agent.destroy()));
    },
  };
}
