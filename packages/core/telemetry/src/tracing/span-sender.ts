import { ExportResultCode } from '@opentelemetry/core';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';

import type { SpanExporterOptions } from './span-exporter-options.ts';
import type { Span } from './span.ts';
import { createTraceRequestWriter } from './trace-request.ts';

/** Sends one batch; resolves whether it was accepted or not. */
export type SendSpans = (batch: readonly Span[]) => Promise<void>;

/**
 * Creates a sender over OTLP with protobuf over HTTP: the sender of OpenTelemetry's own exporters, which retries where
 * that makes sense.
 */
export function createSpanSender({
  url,
  headers,
  resource,
  exportTimeoutMs,
  onDropped,
  onFailure,
}: SpanExporterOptions): SendSpans {
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
