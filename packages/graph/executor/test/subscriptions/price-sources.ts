// Sources of the subgraph `prices`, over each protocol.
import type { EventSource, WebSocketSourceOptions } from '../../src/subscriptions.ts';
import { createHttpSource, createStreamAgent, createWebSocketSource } from '../../src/subscriptions.ts';

type At = Pick<WebSocketSourceOptions, 'url'> & Partial<WebSocketSourceOptions>;

/** @param at the URL of its server with `http:`; and what differs from a source without heartbeats */
export function overWebSocket({ url, ...options }: At): EventSource {
  return createWebSocketSource({
    subgraph: 'prices',
    url: url.replace('http', 'ws'),
    protocol: 'graphql_ws',
    heartbeatIntervalMs: undefined,
    maxMessageBytes: 1_000_000,
    ...options,
  });
}

const commonAgent = createStreamAgent();

export function overSse({ url }: { readonly url: string }, agent = commonAgent): EventSource {
  return createHttpSource({
    subgraph: 'prices',
    url,
    protocol: 'sse',
    timeoutMs: 5000,
    maxEventBytes: 1_000_000,
    agent,
  });
}
