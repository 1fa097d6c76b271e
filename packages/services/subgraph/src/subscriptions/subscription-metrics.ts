import type { Metrics } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

/** Observes the subscriptions of a subgraph. */
export interface SubscriptionMetrics {
  readonly onOpen: () => void;
  readonly onEvent: () => void;
  readonly onEnd: () => void;
}

/** Registers the metrics of subscriptions: once for a process. */
export function subscriptionMetrics({ registry }: Metrics): SubscriptionMetrics {
  const registers = [registry];
  const open = new Gauge({
    name: 'meridian_open_subscriptions',
    help: 'Subscriptions that are open.',
    registers,
  });
  const events = new Counter({
    name: 'meridian_subscription_events_total',
    help: 'Events that were executed for a subscription.',
    registers,
  });
  return { onOpen: () => open.inc(), onEvent: () => events.inc(), onEnd: () => open.dec() };
}
