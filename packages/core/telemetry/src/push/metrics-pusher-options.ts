import type { Registry } from 'prom-client';

import type { OtlpDestination } from '../otlp/otlp-destination.ts';
import type { ResourceAttributes } from '../tracing/trace-request.ts';

export interface MetricsPusherOptions {
  readonly registry: Registry;
  readonly destination: OtlpDestination;
  /** The origin of the metrics. Without `service.instance.id`, each process gets one. */
  readonly resource: ResourceAttributes;
  /** `delta`: the changes since the last export that was accepted. */
  readonly temporality: 'cumulative' | 'delta';
  readonly intervalMs: number;
  /** The time for one export, including retries. */
  readonly exportTimeoutMs: number;
  /** Called for each export that was not accepted. `isFirst`: the one before was. */
  readonly onFailure: (error: Error, isFirst: boolean) => void;
}
