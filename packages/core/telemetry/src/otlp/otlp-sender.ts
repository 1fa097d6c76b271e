import { setTimeout as sleep } from 'node:timers/promises';

import { ExportResultCode } from '@opentelemetry/core';
import type { IOtlpExportDelegate } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';

import type { OtlpSenderOptions } from './otlp-sender-options.ts';

/** Sends one batch; resolves to the error by which the collector did not take it, or to undefined. */
export type SendBatch<Batch> = (batch: Batch) => Promise<Error | undefined>;

/**
 * Creates a sender of protobuf over HTTP or gRPC: the senders of OpenTelemetry's own exporters. It retries where
 * OTLP allows it. gRPC is loaded only where it is used.
 */
export async function createOtlpSender<Batch>(options: OtlpSenderOptions<Batch>): Promise<SendBatch<Batch>> {
  const { destination, timeoutMs } = options;
  if (destination.protocol === 'http') {
    const delegate = createHttpDelegate(options, destination.url);
    return (batch) => exportOnce(delegate, batch);
  }
  const { createGrpcDelegate, isRetryable } = await import('./grpc-delegate.ts');
  const delegate = createGrpcDelegate(options, destination);
  return async (batch) => {
    const endMs = performance.now() + timeoutMs;
    for (let pauseMs = 250; ; pauseMs *= 2) {
      const error = await exportOnce(delegate, batch);
      const isOver = performance.now() + pauseMs > endMs;
      if (error === undefined || isOver || !isRetryable(error)) {
        return error;
      }
      await sleep(pauseMs, undefined, { ref: false });
    }
  };
}

function createHttpDelegate<Batch>(
  { destination, signal, serializer, timeoutMs }: OtlpSenderOptions<Batch>,
  url: string,
): IOtlpExportDelegate<Batch> {
  return createOtlpHttpExportDelegate(
    convertLegacyHttpOptions(
      { url, headers: { ...destination.headers }, timeoutMillis: timeoutMs, keepAlive: true },
      signal,
      `v1/${signal.toLowerCase()}`,
      { 'Content-Type': 'application/x-protobuf' },
    ),
    serializer,
    'otlp_http_exporter',
    // Metrics about the export itself go nowhere, so nothing is counted.
    { name: 'span', countItems: () => 0 },
    undefined,
  );
}

async function exportOnce<Batch>(
  delegate: IOtlpExportDelegate<Batch>,
  batch: Batch,
): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  delegate.export(batch, ({ code, error }) => {
    resolve(
      code === ExportResultCode.SUCCESS ? undefined : (error ?? new Error('the collector did not take it')),
    );
  });
  return promise;
}
