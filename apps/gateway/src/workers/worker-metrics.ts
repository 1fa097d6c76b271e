import type { Metrics } from '@meridian/telemetry';
import { Gauge } from 'prom-client';

/** Registers how many workers there should be, and how many listen, which `listening` tells whenever the metrics are read. */
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
