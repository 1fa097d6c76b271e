import { ExportResultCode } from '@opentelemetry/core';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';

import type { Span } from './span.ts';
import type { ResourceAttributes } from './trace-request.ts';
import { createTraceRequestWriter } from './trace-request.ts';

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

/** Sends spans to a collector asynchronously, off the request path. */
export interface SpanExporter {
  /** Takes the spans of a trace; never waits, never throws. */
  export(spans: readonly Span[]): void;
  /** Sends the waiting spans, within their time, and ends. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Exports over OTLP with protobuf over HTTP, with the sender of OpenTelemetry's own exporters, which retries where that
 * makes sense.
 */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { maxQueueSize, maxBatchSize, scheduledDelayMs, onDropped } = options;
  const send = createSend(options);
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isSending = false;
  let sending = Promise.resolve();

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatchSize);
      waiting = waiting.slice(maxBatchSize);
      // One batch at a time: a slow collector fills the bounded queue, not the memory of the process.
      await send(batch);
    }
    isSending = false;
  };
  const startSending = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (!isSending) {
      isSending = true;
      sending = sendAll();
    }
    return sending;
  };

  return {
    export(spans) {
      const room = Math.max(0, maxQueueSize - waiting.length);
      waiting.push(...spans.slice(0, room));
      if (spans.length > room) {
        onDropped(spans.length - room, 'channel full');
      }
      if (waiting.length >= maxBatchSize) {
        void startSending();
      } else {
        timer ??= setTimeout(() => void startSending(), scheduledDelayMs).unref();
      }
    },
    async close(timeoutMs) {
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const over = setTimeout(resolve, timeoutMs);
      await Promise.race([startSending(), timeout]);
      clearTimeout(over);
      if (waiting.length > 0) {
        onDropped(waiting.length, 'export failed');
        waiting = [];
      }
    },
  };
}

/** Sends one batch; resolves whether it was accepted or not. */
function createSend({
  url,
  headers,
  resource,
  exportTimeoutMs,
  onDropped,
  onFailure,
}: SpanExporterOptions): (batch: readonly Span[]) => Promise<void> {
  const exporter = createOtlpHttpExportDelegate(
    convertLegacyHttpOptions(
      { url, headers, timeoutMillis: exportTimeoutMs, keepAlive: true },
      'TRACES',
      'v1/traces',
      { 'Content-Type': 'application/x-protobuf' },
    ),
    {
      serializeRequest: createTraceRequestWriter(resource),
      deserializeResponse: (bytes) => ProtobufTraceSerializer.deserializeResponse(bytes),
    },
    'otlp_http_span_exporter',
    { name: 'span', countItems: (batch) => batch.length },
    undefined,
  );
  let isFailing = false;
  return async (batch) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    exporter.export(batch, ({ code, error }) => {
      const hasFailed = code !== ExportResultCode.SUCCESS;
      if (hasFailed) {
        onDropped(batch.length, 'export failed');
        if (!isFailing) {
          onFailure(error ?? new Error('the collector did not take the spans'));
        }
      }
      isFailing = hasFailed;
      resolve();
    });
    await promise;
  };
}
