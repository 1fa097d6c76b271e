import type { Metrics } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

/** Registers metrics of streams from subgraphs, with Apollo Router's names where it has them: once for a process. */
export function createSubgraphStreamMetrics({ registry }: Metrics) {
  const registers = [registry];
  const open = new Gauge({
    name: 'meridian_subgraph_streams',
    help: 'Streams of subgraphs that are open, lost ones that are opened again included.',
    labelNames: ['subgraph_name'],
    registers,
  });
  const requests = new Counter({
    name: 'apollo_router_operations_subscriptions_total',
    help: 'Subscriptions, by mode. A deduplicated one joined a stream that was open.',
    labelNames: ['subgraph_name', 'subscriptions_mode', 'subscriptions_deduplicated'],
    registers,
  });
  const dropped = new Counter({
    name: 'apollo_router_skipped_event_count_total',
    help: 'Events of subscriptions that were dropped because a client read too slowly.',
    labelNames: ['subgraph_name'],
    registers,
  });
  const reconnects = new Counter({
    name: 'meridian_subgraph_stream_reconnects_total',
    help: 'Streams of subgraphs that were lost, and are open again (open) or given up (failed).',
    labelNames: ['subgraph_name', 'outcome'],
    registers,
  });
  return {
    onOpen: (subgraph: string): void => open.inc({ subgraph_name: subgraph }),
    onClose: (subgraph: string): void => open.dec({ subgraph_name: subgraph }),
    /** Counts a subscription that was sent to a subgraph, or joined a stream. */
    countRequest: (subgraph: string, mode: string, isShared: boolean): void =>
      requests.inc({
        subgraph_name: subgraph,
        subscriptions_mode: mode,
        subscriptions_deduplicated: String(isShared),
      }),
    /** Counts an event that was dropped for a client that reads too slowly. */
    countDropped: (subgraph: string): void => dropped.inc({ subgraph_name: subgraph }),
    countReconnect: (subgraph: string, outcome: 'open' | 'failed'): void =>
      reconnects.inc({ subgraph_name: subgraph, outcome }),
  };
}

export type SubgraphStreamMetrics = ReturnType<typeof createSubgraphStreamMetrics>;
