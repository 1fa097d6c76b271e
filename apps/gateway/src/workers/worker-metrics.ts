import type { Metrics } from '@meridian/telemetry';
import { Gauge } from 'prom-client';

/** Registers the numbers of configured and of listening workers; `listening` returns the latter at each scrape. */
export function watchWorkers({ registry }: Metrics, configured: number, listening: () => number): void {
  const registers = [registry];
  new Gauge({
    name: 'meridian_workers_configured',
    help: 'Configured workers.',
    registers,
  }).set(configured);
  void new Gauge({
    name: 'meridian_workers_listening',
    help: 'Listening workers.',
    registers,
    collect() {
      this.set(listening());
    },
  });
}
