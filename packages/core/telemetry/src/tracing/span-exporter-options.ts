import type { ResourceAttributes } from './trace-request.ts';

/** The collector, and the batches of spans. */
export interface SpanExporterOptions {
  /** The URL of the collector's traces: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** Header fields for the collector, such as a key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The origin of the spans: `service.name` and other attributes that distinguish processes. */
  readonly resource: ResourceAttributes;
  /** Spans that wait longer than this are sent, however few they are. */
  readonly scheduledDelayMs: number;
  /** The maximum of waiting spans. Further ones are dropped. */
  readonly maxQueueSize: number;
  readonly maxBatchSize: number;
  /** The time for one batch, including retries. */
  readonly exportTimeoutMs: number;
  /** Called with the number of lost spans, and the reason. */
  readonly onDropped: (count: number, why: DropReason) => void;
  /** Called when the collector stops accepting spans; not again until it has accepted some. */
  readonly onFailure: (error: Error) => void;
}

/** `channel full`: too many were waiting; `export failed`: the collector did not take them. */
export type DropReason = 'channel full' | 'export failed';
