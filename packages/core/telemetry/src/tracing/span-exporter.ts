import type { SendBatch } from '../otlp/otlp-sender.ts';
import type { SpanExporterOptions } from './span-exporter-options.ts';
import type { Span } from './span.ts';

/** Sends spans to a collector asynchronously, off the request path. */
export interface SpanExporter {
  /** Takes the spans of a trace; never waits, never throws. */
  export(spans: readonly Span[]): void;
  /** Sends the waiting spans, within their time, and ends. */
  close(timeoutMs: number): Promise<void>;
}

/** Opens an exporter. OpenTelemetry's part is loaded here, so that a process that traces nothing starts without it. */
export async function createSpanExporter(options: SpanExporterOptions): Promise<SpanExporter> {
  const { maxQueueSize, maxBatchSize, scheduledDelayMs, onDropped, onFailure } = options;
  const send = await openSender(options);
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isSending = false;
  let isFailing = false;
  let sending = Promise.resolve();

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatchSize);
      waiting = waiting.slice(maxBatchSize);
      // One batch at a time: a slow collector fills the bounded queue, not the memory of the process.
      const error = await send(batch);
      if (error !== undefined) {
        onDropped(batch.length, 'export failed');
        if (!isFailing) {
          onFailure(error);
        }
      }
      isFailing = error !== undefined;
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

async function openSender(options: SpanExporterOptions): Promise<SendBatch<readonly Span[]>> {
  const { destination } = options;
  if (destination.protocol === 'zipkin') {
    const { createZipkinSender } = await import('./zipkin-sender.ts');
    return createZipkinSender(destination, options);
  }
  const { createSpanSender } = await import('./span-sender.ts');
  return createSpanSender(destination, options);
}
