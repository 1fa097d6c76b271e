import type { OtlpDestination } from '../otlp/otlp-destination.ts';
import type { ResourceAttributes } from './trace-request.ts';

/** The collector, and the batches of spans. */
export interface SpanExporterOptions {
  readonly destination: OtlpDestination | ZipkinDestination;
  /** The origin of the spans: `service.name` and other attributes that distinguish processes. */
  readonly resource: ResourceAttributes;
  /** The maximum of attributes of a span. Further ones are dropped, and counted in the span. */
  readonly maxAttributes: number;
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

/** A collector that takes Zipkin's JSON, version 2. */
export interface ZipkinDestination {
  readonly protocol: 'zipkin';
  /** `http://127.0.0.1:9411/api/v2/spans`. */
  readonly url: string;
}

/** `channel full`: too many were waiting; `export failed`: the collector did not take them. */
export type DropReason = 'channel full' | 'export failed';
