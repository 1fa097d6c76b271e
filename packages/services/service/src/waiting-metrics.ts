import type { WaitingRequests } from '@meridian/http';
import type { Metrics } from '@meridian/telemetry';
import { Gauge } from 'prom-client';

/** Registers the number of requests that wait: once for a process. */
export function waitingMetrics({ registry }: Metrics, waitingRequests: WaitingRequests): void {
  registry.registerMetric(
    new Gauge({
      name: 'meridian_waiting_requests',
      help: 'Requests that wait for events.',
      registers: [],
      collect() {
        this.set(waitingRequests.count);
      },
    }),
  );
}
