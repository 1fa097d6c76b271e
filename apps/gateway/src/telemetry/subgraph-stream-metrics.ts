import type { Metrics } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

/** The metrics of streams from subgraphs, with Apollo Router's names where it has them. */
export interface SubgraphStreamMetrics {
  readonly onOpen: (subgraph: string) => void;
  readonly onClose: (subgraph: string) => void;
  /** Counts a subscription that was sent to a subgraph, or joined a stream. */
  readonly countRequest: (subgraph: string, mode: string, isShared: boolean) => void;
  /** Counts an event that was dropped for a client that reads too slowly. */
  readonly countDropped: (subgraph: string) => void;
  readonly countReconnect: (subgraph: string, outcome: 'open' | 'failed') => void;
}

/** Registers them: once for a process. */
export function createSubgraphStreamMetrics({ registry }: Metrics): SubgraphStreamMetrics {
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
    onOpen: (subgraph) => open.inc({ subgraph_name: subgraph }),
    onClose: (subgraph) => open.dec({ subgraph_name: subgraph }),
    countRequest: (subgraph, mode, isShared) =>
      requests.inc({
        subgraph_name: subgraph,
        subscriptions_mode: mode,
        subscriptions_deduplicated: String(isShared),
      }),
    countDropped: (subgraph) => dropped.inc({ subgraph_name: subgraph }),
    countReconnect: (subgraph, outcome) => reconnects.inc({ subgraph_name: subgraph, outcome }),
  };
}
