import type { Peer, SubgraphTarget } from '@meridian/executor';
import type { EventSource, createStreamAgent } from '@meridian/executor/subscriptions';
import {
  createCallbackSource,
  createHttpSource,
  createWebSocketSource,
  keepStreams,
  shareStreams,
} from '@meridian/executor/subscriptions';

import type { SubscriptionMode, SubscriptionsConfig } from '../config/subscriptions-config.ts';
import type { SubgraphStreamMetrics } from '../telemetry/subgraph-stream-metrics.ts';
import type { CallbackListener } from './listen-for-callbacks.ts';

/** The parts that the sources of all graphs share. */
export interface SourceParts {
  readonly agentOf: (peer: Peer) => ReturnType<typeof createStreamAgent>;
  readonly metrics: SubgraphStreamMetrics;
  /** Undefined where no subgraph calls back. */
  readonly callbacks: CallbackListener | undefined;
  /** The sources of one configuration so far. */
  readonly opened: OpenedSources;
}

/** By the subgraph's name and place. */
export type OpenedSources = Map<string, EventSource>;

/** The sources of the subgraphs' streams, by their names. */
export function streamSources(
  targets: ReadonlyMap<string, SubgraphTarget>,
  config: SubscriptionsConfig,
  parts: SourceParts,
): ReadonlyMap<string, EventSource> {
  const sources = new Map<string, EventSource>();
  for (const [subgraph, target] of targets) {
    const key = JSON.stringify([subgraph, target.url, target.socketPath]);
    const source = parts.opened.get(key) ?? createSource(subgraph, target, config, parts);
    if (source !== undefined) {
      parts.opened.set(key, source);
      sources.set(subgraph, source);
    }
  }
  return sources;
}

/** From the outermost: equal subscriptions share one, a lost one is opened again, and the protocol. */
function createSource(
  subgraph: string,
  target: SubgraphTarget,
  { modeOf, sharingOf }: SubscriptionsConfig,
  parts: SourceParts,
): EventSource | undefined {
  const mode = modeOf(subgraph);
  const source = mode && openSource(subgraph, mode, target, parts);
  if (mode === undefined || source === undefined) {
    return undefined;
  }
  const { metrics } = parts;
  const kept = keepStreams(source, {
    maxAttempts: mode.maxAttempts,
    delayMs: mode.delayMs,
    onReconnect: (outcome) => metrics.countReconnect(subgraph, outcome),
  });
  const { isEnabled, ignoredHeaders } = sharingOf(subgraph);
  const onRequest = (isShared: boolean): void => metrics.countRequest(subgraph, mode.mode, isShared);
  const measured = measureStreams(kept, subgraph, metrics);
  return isEnabled
    ? shareStreams(measured, { ignoredHeaders, onRequest })
    : countRequests(measured, () => onRequest(false));
}

function openSource(
  subgraph: string,
  mode: SubscriptionMode,
  { url, socketPath, tls, timeoutMs, maxResponseBytes }: SubgraphTarget,
  { agentOf, callbacks }: SourceParts,
): EventSource | undefined {
  switch (mode.mode) {
    case 'passthrough': {
      const { protocol, heartbeatIntervalMs } = mode;
      return createWebSocketSource({
        subgraph,
        url: urlAt(mode.path, url).replace(/^http/, 'ws'),
        socketPath,
        tls,
        protocol,
        heartbeatIntervalMs,
        maxMessageBytes: maxResponseBytes,
      });
    }
    case 'callback': {
      const { publicUrl, heartbeatIntervalMs } = mode;
      return (
        callbacks &&
        createCallbackSource({
          subgraph,
          url,
          timeoutMs,
          heartbeatIntervalMs,
          agent: agentOf({ socketPath, tls }),
          receiver: { expect: (handlers) => callbacks.expect(publicUrl, handlers) },
        })
      );
    }
    case 'sse':
    case 'multipart':
    default:
      return createHttpSource({
        subgraph,
        url: urlAt(mode.path, url),
        protocol: mode.mode,
        timeoutMs,
        maxEventBytes: maxResponseBytes,
        agent: agentOf({ socketPath, tls }),
      });
  }
}

function urlAt(path: string | undefined, url: string): string {
  return path === undefined ? url : new URL(path, url).href;
}

/** Counts the streams that are open. */
function measureStreams(
  source: EventSource,
  subgraph: string,
  { onOpen, onClose }: SubgraphStreamMetrics,
): EventSource {
  return {
    open(request, sink) {
      let isOpen = true;
      onOpen(subgraph);
      const end = (): void => {
        if (isOpen) {
          isOpen = false;
          onClose(subgraph);
        }
      };
      const close = source.open(request, {
        onOpen: () => sink.onOpen(),
        onEvent: (event) => sink.onEvent(event),
        onEnd(failure) {
          end();
          sink.onEnd(failure);
        },
      });
      return () => {
        end();
        close();
      };
    },
  };
}

function countRequests(source: EventSource, count: () => void): EventSource {
  return {
    open(request, sink) {
      count();
      return source.open(request, sink);
    },
  };
}
