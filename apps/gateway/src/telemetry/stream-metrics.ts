import type { Metrics } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

import type { StreamEnd } from './request-notes.ts';

/** Registers metrics of clients' subscriptions, with Apollo Router's names for them: once for a process. */
export function createStreamMetrics({ registry }: Metrics) {
  const registers = [registry];
  const opened = new Gauge({
    name: 'apollo_router_opened_subscriptions',
    help: 'Subscriptions of clients that are open.',
    registers,
  });
  const events = new Counter({
    name: 'apollo_router_operations_subscriptions_events_total',
    help: 'Events that were sent to clients of subscriptions.',
    registers,
  });
  const ended = new Counter({
    name: 'meridian_subscription_ends_total',
    help: 'Subscriptions of clients that have ended, by Apollo Router’s reasons.',
    labelNames: ['apollo_subscription_end_reason'],
    registers,
  });
  const rejected = new Counter({
    name: 'apollo_router_operations_subscriptions_rejected_limit_total',
    help: 'Subscriptions that were rejected because too many were open.',
    registers,
  });
  return {
    onOpened: (): void => opened.inc(),
    onEnded: (reason: StreamEnd): void => {
      opened.dec();
      ended.inc({ apollo_subscription_end_reason: reason });
    },
    countEvent: (): void => events.inc(),
    /** Counts a subscription over the limits. */
    countRejected: (): void => rejected.inc(),
  };
}

export type StreamMetrics = ReturnType<typeof createStreamMetrics>;
