import type { Metrics } from '@meridian/telemetry';
import { Counter, Gauge } from 'prom-client';

/** The metrics of the deliveries of this process. */
export interface WebhookMetrics {
  readonly attemptsTotal: Counter<'outcome'>;
  readonly failedTotal: Counter;
  readonly disabledTotal: Counter<'reason'>;
}

interface Observed {
  /** The attempts under way. */
  readonly inFlight: () => number;
  readonly oldestDueSeconds: () => Promise<number>;
}

export function createWebhookMetrics(
  { registry }: Metrics,
  { inFlight, oldestDueSeconds }: Observed,
): WebhookMetrics {
  const registers = [registry];
  registry.registerMetric(
    new Gauge({
      name: 'webhook_attempts_in_flight',
      help: 'Attempts of this process under way.',
      registers: [],
      collect() {
        this.set(inFlight());
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'webhook_oldest_due_seconds',
      help: 'The time for which the oldest due work has waited for any process, in seconds.',
      registers: [],
      async collect() {
        this.set(await oldestDueSeconds());
      },
    }),
  );
  return {
    attemptsTotal: new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver an event: delivered, or the error of the attempt.',
      labelNames: ['outcome'],
      registers,
    }),
    failedTotal: new Counter({
      name: 'webhook_deliveries_failed_total',
      help: 'Deliveries that are not tried again.',
      registers,
    }),
    disabledTotal: new Counter({
      name: 'webhook_disabled_total',
      help: 'Webhooks that were disabled: gone after a 410, failing after failures alone for five days.',
      labelNames: ['reason'],
      registers,
    }),
  };
}
